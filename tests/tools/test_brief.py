"""What is shown to the user while the model works?"""

import os
from pathlib import Path

import pytest

from daedal.protocol.confinement import Confinement
from tests.tools.desk import Desk, not_root


def test_a_message_is_shown_as_it_is(desk: Desk):
    outcome = desk.do("Brief", message="**Half** done.\n", status="proactive")
    assert (outcome.is_error, outcome.message) == (False, "**Half** done.")
    assert outcome.content == "The message was shown to the user. Go on."


def test_attachments_are_listed_with_their_size(desk: Desk):
    desk.put("docs/report.md", "x" * 2048)
    desk.put("a.txt", "x")
    outcome = desk.do("Brief", message="See.", attachments=["docs/report.md", str(desk.root / "a.txt")])
    assert outcome.message == "See.\n\n- `docs/report.md` (2 KiB)\n- `a.txt` (1 byte)"
    assert "2 attachments" in outcome.content


def test_a_file_name_cannot_write_into_the_message(desk: Desk):
    desk.put("a`\n# Approved\n`b", "x")
    outcome = desk.do("Brief", message="See.", attachments=["a`\n# Approved\n`b"])
    assert outcome.message == "See.\n\n- `a' # Approved 'b` (1 byte)"


@pytest.mark.parametrize(
    ("given", "issue"),
    [
        ({"message": ""}, "expected `str` of length >= 1"),
        ({"message": " \n"}, "The message is empty"),
        ({"message": "See.", "attachments": ["gone.txt"]}, "File does not exist"),
        ({"message": "See.", "attachments": ["folder"]}, "is a directory"),
        ({"message": "See.", "attachments": ["pipe"]}, "is a named pipe"),
        ({"message": "See.", "attachments": ["a\0b"]}, "not a usable path"),
        ({"message": "See.", "attachments": "a.txt"}, "expected `array`"),
        ({"message": "See.", "attachments": ["a.txt"] * 21}, "too many"),
        ({"message": "See.", "status": "urgent"}, "invalid enum value"),
    ],
)
def test_what_cannot_be_shown_is_told_and_nothing_is_shown(desk: Desk, given: dict[str, object], issue: str):
    desk.put("a.txt", "x")
    (desk.root / "folder").mkdir()
    os.mkfifo(desk.root / "pipe")
    outcome = desk.do("Brief", **given)
    assert (outcome.is_error, outcome.message) == (True, None)
    assert issue in outcome.content


def test_a_file_that_cannot_be_read_is_not_attached(desk: Desk):
    desk.put("a.txt", "x").chmod(0)
    with not_root():
        outcome = desk.do("Brief", message="See.", attachments=["a.txt"])
    assert (outcome.is_error, outcome.message) == (True, None)


def test_what_is_closed_to_tools_is_not_attached(tmp_path: Path):
    workspace = str(tmp_path / "ws")
    closed = str(tmp_path / "keys")
    desk = Desk(tmp_path, confinement=Confinement(workspace=workspace, writable=[workspace], unreadable=[closed]))
    Path(closed).write_text("secret")
    outcome = desk.do("Brief", message="See.", attachments=["../keys"])
    assert (outcome.is_error, outcome.message) == (True, None)


def test_the_gate_sees_where_attachments_really_are(desk: Desk, tmp_path: Path):
    (tmp_path / "outside.txt").write_text("x")
    (desk.root / "link").symlink_to(tmp_path / "outside.txt")
    assert desk.paths("Brief", message="x", attachments=["link", "a.txt", 5]) == [
        str(tmp_path / "outside.txt"),
        str(desk.root / "a.txt"),
    ]
    assert desk.paths("Brief", message="x", attachments="link") == []


def test_one_impossible_name_opens_nothing_else(desk: Desk, tmp_path: Path):
    """Where one name can be no path, the gate has judged none of them."""
    (tmp_path / "outside.txt").write_text("x")
    attachments = [str(tmp_path / "outside.txt"), "a\0b"]
    assert desk.paths("Brief", message="x", attachments=attachments) == []
    outcome = desk.do("Brief", message="x", attachments=attachments)
    assert "not a usable path" in outcome.content
    assert "outside" not in outcome.content


def test_a_link_that_was_changed_after_the_verdict_is_not_followed(desk: Desk, tmp_path: Path):
    (tmp_path / "outside.txt").write_text("x")
    desk.put("inside.txt", "x")
    (desk.root / "link").symlink_to("inside.txt")
    desk.paths("Brief", message="x", attachments=["link"])
    (desk.root / "link").unlink()
    (desk.root / "link").symlink_to(tmp_path / "outside.txt")
    outcome = desk.do("Brief", message="x", attachments=["link"])
    assert (outcome.is_error, outcome.message) == (True, None)
    assert "led elsewhere" in outcome.content
