"""An entry joins and leaves a list, and nothing else in the file changes."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config import add_to_list, remove_from_list
from daedal.protocol.errors import ConfigurationError
from tests.config.example import unhurried
from tests.config.gate import Gated

KEY = "permissions.allow"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[permissions]\nallow = ["new"]\n'),
        ('name = "x" # mine\n', 'name = "x" # mine\n\n[permissions]\nallow = ["new"]\n'),
        ("[permissions]\nallow = []\n", '[permissions]\nallow = ["new"]\n'),
        ('[permissions]\nallow = ["a"] # why\n', '[permissions]\nallow = ["a", "new"] # why\n'),
        ('[permissions]\nallow = [ "a", ]\n', '[permissions]\nallow = [ "a", "new", ]\n'),
        (
            '[permissions]\nallow = [\n  "a", # first\n  # more to come\n]\ndeny = ["d"]\n',
            '[permissions]\nallow = [\n  "a",\n  "new", # first\n  # more to come\n]\ndeny = ["d"]\n',
        ),
        ('permissions.allow = ["a"]\n', 'permissions.allow = ["a", "new"]\n'),
        ('[permissions]\ndeny = ["d"]\n', '[permissions]\ndeny = ["d"]\nallow = ["new"]\n'),
    ],
)
def test_an_entry_joins_at_the_end(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(before)
    assert add_to_list(str(file), KEY, "new", Gated)
    assert file.read_text() == after
    assert not add_to_list(str(file), KEY, "new", Gated)
    assert file.read_text() == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[permissions]\nallow = ["old"] # why\n', "[permissions]\nallow = [] # why\n"),
        ('[permissions]\nallow = ["a", "old", "b"]\n', '[permissions]\nallow = ["a", "b"]\n'),
        ('[permissions]\nallow = ["a", "old"]\n', '[permissions]\nallow = ["a"]\n'),
        (
            '[permissions]\nallow = [\n  "a", # first\n  "old",\n  "b",\n]\n',
            '[permissions]\nallow = [\n  "a", # first\n  "b",\n]\n',
        ),
        ('[permissions]\nallow = [\n  "a",\n  "old"\n]\n', '[permissions]\nallow = [\n  "a",\n]\n'),
        ('[permissions]\nallow = ["old", "a", "old"]\n', '[permissions]\nallow = ["a"]\n'),
    ],
)
def test_an_entry_leaves_with_its_comma(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(before)
    assert remove_from_list(str(file), KEY, "old", Gated)
    assert tomllib.loads(file.read_text()) == tomllib.loads(after)
    assert "# first" in file.read_text() or "# first" not in before
    assert not remove_from_list(str(file), KEY, "old", Gated)


def test_a_missing_file_is_made_and_a_missing_entry_is_no_change(tmp_path: Path) -> None:
    file = tmp_path / "new" / "config.toml"
    assert not remove_from_list(str(file), KEY, "x", Gated)
    assert add_to_list(str(file), KEY, 'Bash(echo "hi":*)', Gated)
    assert tomllib.loads(file.read_text()) == {"permissions": {"allow": ['Bash(echo "hi":*)']}}


@pytest.mark.parametrize(
    ("text", "key"),
    [("", "name"), ("[permissions]\nallow = 3\n", KEY), ("", "permissions.unheard"), ("= broken", KEY)],
)
def test_what_is_no_list_of_texts_is_left_alone(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError):
        add_to_list(str(file), key, "x", Gated)
    assert file.read_text() == text


entries = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(entries, max_size=5), entries)
@unhurried
def test_joining_and_leaving_again_says_the_same_as_before(
    tmp_path_factory: pytest.TempPathFactory, known: list[str], entry: str
) -> None:
    file = tmp_path_factory.mktemp("lists") / "config.toml"
    for one in known:
        add_to_list(str(file), KEY, one, Gated)
    before = tomllib.loads(file.read_text())["permissions"]["allow"] if known else []
    assert before == list(dict.fromkeys(known))
    assert add_to_list(str(file), KEY, entry, Gated) == (entry not in known)
    assert remove_from_list(str(file), KEY, entry, Gated)
    after = tomllib.loads(file.read_text())["permissions"]["allow"]
    assert after == [one for one in before if one != entry]
