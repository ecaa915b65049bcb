"""What a file says about itself is read as people write it, and never in two ways."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config.frontmatter import Malformed, Matter, divided, parsed, separated
from daedal.config.one_line import one_line

KEY = st.from_regex(r"\A[a-zA-Z][a-zA-Z_-]{0,20}\Z")
NAME = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9_.-]{0,20}\Z").filter(lambda name: name not in ("null", "Null", "NULL"))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("d: plain text", "plain text"),
        ("d:   spaced\t ", "spaced"),
        ("d: a: b", "a: b"),
        ("d: issue#12 # a comment", "issue#12"),
        ("d: 'it''s # quoted'  # a comment", "it's # quoted"),
        (r'd: "tab\tquote\" \\ \u00e9\x41\U0001F600 \q \ud800"', 'tab\tquote" \\ éA😀 q \ufffd'),
        ("d: over\n   several\n   lines", "over several lines"),
        ('d: "over\n  several\n\n  lines"', "over several\nlines"),
        ("d: >-\n  folded\n  text\n\n  twice", "folded text\ntwice"),
        ("d: |\n  kept\n    as it is\n", "kept\n  as it is"),
        ("d:\n  below", "below"),
        ("d: [focus] [more]", "[focus] [more]"),
        ("d: [focus]", "[focus]"),
        ("d:", ""),
        ("d: ~", ""),
        ("d: null", ""),
        ("d: # nothing", ""),
        ("# a comment\n\nd: x\n# another\ne: y", "x"),
        ("other:\n  nested: 1\n  more:\n    - deep\nd: x", "x"),
        ("other:\n- a\n- b\nd: x", "x"),
        ("other: {a: b}\nd: x", "x"),
    ],
)
def test_a_text_is_read_however_it_is_written(written: str, text: str) -> None:
    assert parsed(written).text("d") == text


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("t: Read", ["Read"]),
        ("t: Read, Grep,Glob ,", ["Read", "Grep", "Glob"]),
        ("t: [Read, 'Grep', \"Glob\"]", ["Read", "Grep", "Glob"]),
        ("t: [\n  Read,\n  Grep\n]", None),
        ("t: [\n  Read,\n  Grep\n  ]", ["Read", "Grep"]),
        ("t:\n  - Read\n  - 'Grep' # why\n", ["Read", "Grep"]),
        ("t:\n- Read\n\n- Grep", ["Read", "Grep"]),
        ("t: []", []),
        ("t: Bash(git add:*, x), Read", ["Bash(git add:*, x)", "Read"]),
        ("t: *", ["*"]),
        ("t:", None),
        ("t: ''", None),
        ("t:\n  Read: yes", None),
        ("t:\n  - Read: yes\n    Grep: no", None),
        ("t:\n  -\n  - Grep", None),
        ("t: {Read: yes}", None),
        ("t: Read\nt: Grep", None),
    ],
)
def test_a_list_is_read_however_it_is_written_or_not_at_all(written: str, names: list[str] | None) -> None:
    if names is None:
        with pytest.raises(Malformed):
            parsed(written).names("t")
    else:
        assert parsed(written).names("t") == names


def test_a_key_that_is_not_there_says_nothing() -> None:
    assert (Matter().text("d"), Matter().names("d"), Matter().flag("d")) == ("", None, False)


@pytest.mark.parametrize(("written", "flag"), [("true", True), ("Yes", True), ("false", False), ("", False)])
def test_a_flag_is_true_or_false(written: str, flag: bool) -> None:
    assert parsed(f"f: {written}").flag("f") is flag


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("no key", "line 2"),
        ("a: b\n\nUse this: maybe", "line 4"),
        ("- a", "line 2"),
        ("a: x\na: y", "a twice"),
        ('d: "never ends', "quotes of d"),
        ('d: "ends" early', "quotes of d"),
        ("f: perhaps", "true or false"),
    ],
)
def test_what_cannot_be_read_says_why(written: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        parsed(written).flag("f")


@given(st.text() | st.text(alphabet="-:#'\"[]{}|>,\\ab \t\n\0\ud800"))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Malformed):
        read = parsed(divided(f"---\n{text}\n---\nbody")[0] or "")
        for key in read.said:
            read.text(key)
            read.names(key)
            read.flag(key)


@given(st.dictionaries(KEY, st.text(alphabet=st.characters(exclude_categories=["Cs"]))))
def test_what_is_quoted_comes_back_as_it_was(said: dict[str, str]) -> None:
    written = "\n".join(f"{key}: {json.dumps(text)}" for key, text in said.items() if text)
    matter = parsed(written)
    # JSON writes what lies beyond four digits as two halves, which YAML does not.
    for key, text in said.items():
        if text and max(text) <= "\uffff" and text not in ("~", "null", "Null", "NULL"):
            assert matter.text(key) == text


@given(st.lists(NAME, min_size=1))
def test_every_way_to_write_a_list_says_the_same(names: list[str]) -> None:
    ways = [
        "t: " + ", ".join(names),
        "t: [" + ",".join(names) + "]",
        "t:\n" + "\n".join(f"- {name}" for name in names),
        "t:\n" + "\n".join(f"    - '{name}'" for name in names),
    ]
    assert [parsed(way).names("t") for way in ways] == [names] * 4


@given(st.text())
def test_nothing_is_lost_between_commas(text: str) -> None:
    assert all(name.strip() or name == "" for name in separated(text))


@given(st.text(alphabet=st.characters()), st.integers(1, 50))
def test_one_line_is_one_line_that_a_person_sees(text: str, length: int) -> None:
    line = one_line(text, length)
    assert line.isprintable()
    assert len(line) <= length
    assert line == line.strip()
    assert one_line(line, length) == line
