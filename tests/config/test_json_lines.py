"""Where in a JSON text a key stands."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daedal.config.json_lines import json_lines
from tests.config.example import unhurried


def test_keys_and_entries_have_the_line_they_stand_on():
    text = '{\n "a": {"b": [\n  1,\n  {"c": "x,]}\\"{"}\n ]},\n "d": []\n}'
    assert json_lines(text) == {
        (): 1,
        ("a",): 2,
        ("a", "b"): 2,
        ("a", "b", 0): 3,
        ("a", "b", 1): 4,
        ("a", "b", 1, "c"): 4,
        ("d",): 6,
    }


def paths(value: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {path}.union(*(paths(inner, (*path, step)) for step, inner in below))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(values, st.sampled_from([None, 1]))
@unhurried
def test_every_path_of_any_json_is_found(value: Any, indent: int | None):
    assert set(json_lines(json.dumps(value, indent=indent))) == paths(value)
