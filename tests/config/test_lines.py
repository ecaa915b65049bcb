"""Every key of a TOML text is found on the line where it stands."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daedal.config.keys import Path, at, dotted, quoted_key
from daedal.config.lines import MarkKind, line_of, lines, marks

from .example import unhurried

NAMES = st.one_of(st.sampled_from(["a", "b", "c-d", "7"]), st.text(st.characters(codec="utf-8"), max_size=4))
SCALARS = st.sampled_from(
    [
        *("1", "-2.5e3", "true", "inf", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00.5-07:00", "07:32:00", "0xff"),
        *('"x"', "'y'", '"# no = comment"', "'[no]'", '"\\" = 1"', "'\\'", '""', "''", '"tail\\\\"'),
        *('"""\nkey = 1\n[table]\n"""', "'''\nkey = 1\n'''", '"""x"""""', "'''x'''''", '"""\\""" x"""'),
    ]
)


def arrays(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    separators = st.sampled_from([", ", ",", " ,\n  ", ", # ] } note\n"])
    ends = st.sampled_from(["", ",", "\n", ", # end ]\n"])
    return st.builds(
        lambda items, separator, end: "[" + separator.join(items) + (end if items else "") + "]",
        st.lists(values, max_size=3),
        separators,
        ends,
    )


def inline_tables(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.dictionaries(NAMES, values, max_size=3)
    return pairs.map(lambda table: "{ " + ", ".join(f"{quoted_key(k)} = {v}" for k, v in table.items()) + "}")


VALUES = st.recursive(SCALARS, lambda inner: arrays(inner) | inline_tables(inner), max_leaves=6)
BLANKS = st.sampled_from(["", "\n", "# note = 1\n", "  \n\t# [x]\n"])


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """Sections of keys; those that the parser refuses (a name defined twice) are left out."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    text = ""
    for _ in range(draw(st.integers(0, 5))):
        piece = draw(BLANKS)
        header = draw(st.lists(NAMES, max_size=3))
        if header and draw(st.booleans()):
            name = draw(st.sampled_from([".", " . "])).join(map(quoted_key, header))
            piece += draw(st.sampled_from([f"[{name}]", f"[[{name}]]", f"  [ {name} ] # x"])) + newline
        for _ in range(draw(st.integers(0, 3))):
            names = map(quoted_key, draw(st.lists(NAMES, min_size=1, max_size=2)))
            name = draw(st.sampled_from([".", " . "])).join(names)
            equals, comment = draw(st.sampled_from(["=", " = "])), draw(st.sampled_from(["", " # c"]))
            piece += f"{draw(BLANKS)}{name}{equals}{draw(VALUES)}{comment}{newline}"
        try:
            tomllib.loads(text + piece)
        except tomllib.TOMLDecodeError:
            continue
        text += piece
    return text


def paths_in(data: Any, path: Path = ()) -> list[Path]:
    below = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    return [*([path] if path else []), *(found for key, value in below for found in paths_in(value, (*path, key)))]


@unhurried
@given(toml_texts())
def test_every_path_that_the_parser_sees_is_found_and_no_other(text: str) -> None:
    data = tomllib.loads(text)
    assert set(lines(text)) == set(paths_in(data))


@unhurried
@given(toml_texts())
def test_a_marked_value_is_exactly_the_characters_of_that_value(text: str) -> None:
    data = tomllib.loads(text)
    for mark in marks(text):
        if mark.kind is not MarkKind.HEADER:
            alone = tomllib.loads(f"value = {text[mark.value_start : mark.value_end]}")["value"]
            assert repr(alone) == repr(at(data, mark.path)), dotted(mark.path)


@unhurried
@given(toml_texts())
def test_a_key_on_its_own_line_is_found_on_that_line(text: str) -> None:
    rows = text.split("\n")
    for mark in marks(text):
        assert text[mark.start :].startswith(rows[mark.line - 1].lstrip()) or mark.kind is MarkKind.INNER


def test_lines_of_a_file_as_people_write_it() -> None:
    text = """\
# my settings
default_model = "a"

[agent]
names = { x = "1" }

[[providers]]
name = "one"
models = [
  "m",
  "n",
]
[[providers]]
name = "two"
[providers.prices]
input = 1
"""
    known = lines(text)
    assert line_of(known, ("default_model",)) == 2
    assert line_of(known, ("agent", "names", "x")) == 5
    assert line_of(known, ("providers", 0, "models", 1)) == 11
    assert line_of(known, ("providers", 1)) == 13
    assert line_of(known, ("providers", 1, "prices", "input")) == 16


def test_what_is_not_in_the_text_is_looked_for_in_the_closest_table_around_it() -> None:
    known = lines("[agent]\n[[providers]]\n")
    assert line_of(known, ("providers", 0, "kind")) == 2
    assert line_of(known, ("absent",)) is None
