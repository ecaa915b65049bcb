"""Is exactly that replaced which was meant, and no other byte?"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daedal.protocol.items import Change
from daedal.protocol.seams import Outcome, PreImage
from daedal.tools.substitution import locate
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("SD-16/Edit")


def test_one_occurrence_is_replaced(desk: Desk):
    path = desk.put("a.py", "x = 1\ny = 2\nz = 3\n")
    assert desk.do("Edit", file_path="a.py", old_string="y = 2", new_string="y = 20") == Outcome(
        content=f"The file {path} has been updated successfully. (line 2; 3 lines)",
        changes=[
            Change(
                path=str(path),
                kind={"type": "update"},
                diff="@@ -1,3 +1,3 @@\n x = 1\n-y = 2\n+y = 20\n z = 3\n",
            )
        ],
        touched=[str(path)],
    )
    assert path.read_text() == "x = 1\ny = 20\nz = 3\n"
    assert desk.kept == [PreImage(path=str(path), content=b"x = 1\ny = 2\nz = 3\n", mode=0o644)]


def test_all_occurrences_are_replaced_when_asked(desk: Desk):
    path = desk.put("a.py", "a a\na\n")
    outcome = desk.do("Edit", file_path="a.py", old_string="a", new_string="b", replace_all=True)
    assert outcome.content == f"The file {path} has been updated. All 3 occurrences replaced. (line 1; 2 lines)"
    assert path.read_text() == "b b\nb\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("zzz", "b", "String to replace not found in file.\nString: zzz"),
        ("a", "b", "Found 3 matches of the string to replace, but replace_all is false."),
        ("a", "a", "No changes to make: old_string and new_string are exactly the same."),
        ("", "b", "Cannot create new file - file already exists."),
    ],
)
def test_what_cannot_be_replaced_is_told_and_nothing_happens(desk: Desk, old: str, new: str, said: str):
    path = desk.put("a.txt", "a a\na\n")
    outcome = desk.do("Edit", file_path="a.txt", old_string=old, new_string=new)
    assert outcome.is_error
    assert outcome.content.startswith(said)
    assert path.read_text() == "a a\na\n"
    assert desk.kept == []


def test_a_long_string_is_echoed_in_part(desk: Desk):
    desk.put("a.txt", "a")
    outcome = desk.do("Edit", file_path="a.txt", old_string="x" * 100_000, new_string="y")
    assert len(outcome.content) < 3000


def test_an_empty_old_string_creates_a_file_or_fills_an_empty_one(desk: Desk):
    desk.put("empty", "")
    assert desk.do("Edit", file_path="new/a.txt", old_string="", new_string="x\n").content == (
        f"File created successfully at: {desk.root}/new/a.txt (1 line)"
    )
    assert (desk.root / "new" / "a.txt").read_text() == "x\n"
    assert not desk.do("Edit", file_path="empty", old_string="", new_string="x").is_error
    assert (desk.root / "empty").read_text() == "x"


def test_a_missing_file_is_told_with_its_neighbours(desk: Desk):
    desk.put("config.py", "x")
    outcome = desk.do("Edit", file_path="confg.py", old_string="x", new_string="y")
    assert outcome.is_error
    assert outcome.content.startswith("File does not exist")
    assert outcome.content.endswith("Did you mean config.py?")


def test_a_change_on_disk_since_reading_is_noted_where_the_text_still_matches(desk: Desk):
    path = desk.put("a.txt", "one\ntwo\n", mtime=1000)
    desk.do("Read", file_path="a.txt")
    desk.put("a.txt", "zero\none\ntwo\n", mtime=2000)
    outcome = desk.do("Edit", file_path="a.txt", old_string="two", new_string="2")
    assert not outcome.is_error
    assert "had been modified on disk since you read it" in outcome.content
    assert path.read_text() == "zero\none\n2\n"
    desk.put("a.txt", "other\n", mtime=3000)
    refused = desk.do("Edit", file_path="a.txt", old_string="two", new_string="2")
    assert refused.is_error
    assert "The file has been modified since it was read: read it again." in refused.content


def test_a_crlf_file_is_edited_with_plain_newlines_and_stays_crlf(desk: Desk):
    path = desk.put("a.txt", "one\r\ntwo\r\nthree\r\n")
    assert not desk.do("Edit", file_path="a.txt", old_string="one\ntwo", new_string="1\n2\n2b").is_error
    assert path.read_bytes() == b"1\r\n2\r\n2b\r\nthree\r\n"
    desk.do("Edit", file_path="a.txt", old_string="three", new_string="3\r\n4")
    assert path.read_bytes() == b"1\r\n2\r\n2b\r\n3\r\n4\r\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_encoding_and_byte_order_mark_stay(desk: Desk, encoding: str):
    path = desk.put("a.txt", "größe = 1\r\nx\r\n".encode(encoding))
    assert not desk.do("Edit", file_path="a.txt", old_string="größe = 1\n", new_string="größe = 2\n").is_error
    assert path.read_bytes() == "größe = 2\r\nx\r\n".encode(encoding)


def test_a_file_that_is_no_utf_8_is_edited_as_it_is_shown(desk: Desk):
    path = desk.put("a.txt", b"caf\xe9 = 1\nna\xefve\n")
    assert not desk.do("Edit", file_path="a.txt", old_string="café = 1", new_string="café = ü").is_error
    assert path.read_bytes() == b"caf\xe9 = \xfc\nna\xefve\n"
    refused = desk.do("Edit", file_path="a.txt", old_string="naïve", new_string="→")
    assert refused.is_error
    assert "cannot be written as LATIN-1" in refused.content


def test_a_mostly_utf_8_file_with_a_broken_byte_is_edited_as_utf_8(desk: Desk):
    path = desk.put("a.txt", "größe\n".encode() + b"\xff broken\n")
    assert not desk.do("Edit", file_path="a.txt", old_string="größe", new_string="→").is_error
    assert path.read_bytes() == "→\n".encode() + b"\xff broken\n"


def test_binary_and_broken_wide_files_are_refused(desk: Desk):
    desk.put("binary", b"a\0b")
    desk.put("broken", b"\xff\xfe" + "text\n".encode("utf-16-le") * 5000 + b"\x00\xd8")
    for name, said in (("binary", "is a binary file"), ("broken", "is not valid UTF-16-LE")):
        outcome = desk.do("Edit", file_path=name, old_string="text", new_string="y", replace_all=True)
        assert outcome.is_error
        assert said in outcome.content


def substitute(content: bytes, old: str, new: str) -> tuple[int, int, bytes]:
    """How often it was found, on which line first, and the file with the new text in its places."""
    found = locate(content, old)
    return (0, 0, content) if found is None else (found.count, found.line, found.replaced(new))


BYTES = st.binary(max_size=60)
# A NUL right after the mark of UTF-16 makes it the mark of UTF-32.
PLAIN = st.text(st.characters(exclude_characters="§¶\r\0", exclude_categories=["Cs"]), max_size=20)
TEXT = st.text(alphabet="ab \nüé→", max_size=12)


@given(BYTES, BYTES, TEXT.filter(bool), TEXT)
def test_bytes_around_a_match_never_change(before: bytes, after: bytes, old: str, new: str):
    content = b"-" + before + b"\n" + old.encode() + b"\n" + after
    count, _, result = substitute(content, old, new)
    if count != 1 or b"\r" in content:
        return
    start = content.index(old.encode())
    assert result == content[:start] + new.encode() + content[start + len(old.encode()) :]


@given(st.lists(st.text(alphabet="abü", max_size=3), min_size=1, max_size=8), TEXT.filter(bool), TEXT)
def test_editing_a_crlf_file_is_editing_its_lf_twin(lines: list[str], old: str, new: str):
    twin = "\n".join((*lines, "")).encode()
    expected = substitute(twin, old, new)
    count, line, result = substitute(twin.replace(b"\n", b"\r\n"), old, new)
    assert (count, line, result.replace(b"\r\n", b"\n")) == expected
    assert result.count(b"\r") == result.count(b"\n")


@given(PLAIN, PLAIN, st.sampled_from(["utf-16", "utf-32", "utf-8-sig", "utf-8"]), PLAIN)
def test_an_edit_undone_is_the_same_file(before: str, after: str, encoding: str, new: str):
    content = f"{before}§{after}".encode(encoding)
    count, line, there = substitute(content, "§", f"¶{new}¶")
    assert (count, there) == (1, f"{before}¶{new}¶{after}".encode(encoding))
    assert substitute(there, f"¶{new}¶", "§") == (1, line, content)


@given(st.binary(min_size=1, max_size=80), st.integers(0, 79), st.integers(1, 10))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_of_any_file_only_the_match_is_replaced(tmp_path: Path, content: bytes, start: int, length: int):
    desk = Desk(tmp_path)
    path = desk.put("any", content)
    old = content[start : start + length].decode("latin-1")
    outcome = desk.do("Edit", file_path="any", old_string=old, new_string="QQ!!QQ")
    if outcome.is_error:
        assert path.read_bytes() == content
        return
    assert desk.kept[0].content == content
    wide = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(content[:2], "ascii")
    head, _, tail = path.read_bytes().partition("QQ!!QQ".encode(wide))
    assert content.startswith(head)
    assert content.endswith(tail)
    assert len(head) + len(tail) < len(content)
