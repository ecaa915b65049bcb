"""Are old and new text what the file said? The hunks that the tools write, taken apart again."""

from hypothesis import given
from hypothesis import strategies as st

from daedal.editor.diffs import Hunk, diff_contents, hunks
from daedal.protocol.items import Change
from daedal.tools.diff import change

LINES = st.lists(st.text(alphabet="ab -+@\\\x0c\r\u2028", max_size=4), max_size=30)


@given(before=LINES, after=LINES, ends=st.tuples(st.sampled_from(["", "\n"]), st.sampled_from(["", "\n"])))
def test_each_hunk_stands_in_both_files_where_it_says(before: list[str], after: list[str], ends: tuple[str, str]):
    old, new = "\n".join(before) + ends[0], "\n".join(after) + ends[1]
    found = hunks(change("/file", old.encode(), new.encode()).diff)
    assert bool(found) == (old != new)
    rows = new.split("\n")
    for hunk in found:
        assert hunk.old in old
        assert "\n".join(rows[hunk.line - 1 :]).startswith(hunk.new)


@given(st.text(max_size=200))
def test_whatever_the_diff_says_nothing_breaks(text: str):
    assert all(isinstance(hunk, Hunk) for hunk in hunks(text))


def test_a_summary_of_something_binary_has_no_text_to_compare():
    binary = change("/file", b"\0\1", b"\0\2")
    assert diff_contents(binary, "/") == []


def test_a_path_is_told_whole():
    (shown,) = diff_contents(Change(path="made.txt", kind={"type": "add"}, diff="new\n"), "/project")
    assert (shown.path, shown.old_text, shown.new_text) == ("/project/made.txt", None, "new\n")
