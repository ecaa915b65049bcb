"""A key reads the same way it is written."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config.keys import dotted, parse_key
from daedal.protocol.errors import ConfigurationError

from .example import unhurried

NAMES = st.text(st.characters(codec="utf-8"))


@unhurried
@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(st.integers(0, 99), max_size=2))
def test_what_is_written_as_a_key_is_read_as_the_same_path(names: list[str], positions: list[int]) -> None:
    path = (*names, *positions)
    assert parse_key(dotted(path)) == path


@unhurried
@given(st.lists(NAMES, min_size=1, max_size=4))
def test_a_written_key_is_valid_toml_and_has_nothing_that_acts_on_a_terminal(names: list[str]) -> None:
    written = dotted(tuple(names))
    assert written.isprintable()
    value = tomllib.loads(f"{written} = 1")
    for name in names:
        value = value[name]
    assert value == 1


@pytest.mark.parametrize("text", ["", ".", "a.", "a..b", ".a", "[0]", "a b", "a.[0]", 'a"b"', "a[x]", "ä", '"\\q"'])
def test_what_is_not_a_key_is_refused_kindly(text: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a key"):
        parse_key(text)
