"""Does a rule hold wherever a path leads? Also where the home folder is a link, and through links of a project."""

import pytest

from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Child

CALLS = [
    ("Read", {"file_path": "~/private/x.txt"}),
    ("Read", {"file_path": "{real}/private/x.txt"}),
    ("Bash", {"command": "cat ~/private/x.txt"}),
    ("Bash", {"command": "cat {link}/private/x.txt"}),
    ("Bash", {"command": "cat {real}/private/x.txt"}),
    ("Bash", {"command": "cat inner/x.txt"}),
]


@pytest.fixture
def places(daedal: Daedal, tmp_path) -> dict[str, str]:
    real, link = tmp_path / "real", tmp_path / "link"
    (real / "private").mkdir(parents=True)
    (real / "private" / "x.txt").write_text("SECRET")
    link.symlink_to(real)
    (daedal.workspace / "inner").symlink_to(real / "private")
    daedal.env["HOME"] = str(link)
    return {"real": str(real), "link": str(link)}


def test_what_is_denied_below_a_home_that_is_a_link_stays_denied(daedal: Daedal, places: dict[str, str]):
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo", deny=["Read(~/private/**)"], withoutModel=True)
        for tool, given in CALLS:
            told = {name: value.format(**places) for name, value in given.items()}
            answer = client.call("thread/toolCall", {"threadId": thread, "tool": tool, "input": told})
            assert "deny: Read(~/private/**)" in answer["content"], told
