"""Is whatever a model writes as arguments either an object or a complaint that it can act on?"""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.engine.reply import parse_arguments

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), values, max_size=5))
@settings(max_examples=60)
def test_every_json_object_comes_through_unchanged(arguments: dict[str, object]):
    assert parse_arguments(json.dumps(arguments)) == (arguments, "")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_other_text_is_kept_and_complained_about(text: str):
    arguments, complaint = parse_arguments(text)
    if complaint:
        assert arguments == {"_malformed": text}
    else:
        assert text.strip() == "" or json.loads(text) == arguments


@pytest.mark.parametrize("text", ["[]", "3", '"x"', "null", "{", '{"a": }', "\ud800", '{"a":' * 100_000])
def test_what_is_no_object_is_refused(text: str):
    assert parse_arguments(text)[1]
