"""Does a table join its array without touching the rest of the file?"""

from pathlib import Path

import pytest
from msgspec import Struct

from daedal.config import add_table
from daedal.protocol.errors import ConfigurationError


class Vendor(Struct):
    name: str
    url: str = ""


class Schema(Struct):
    default: str = ""
    vendors: list[Vendor] = []


def test_a_table_is_added_once_and_what_was_there_stays(tmp_path: Path):
    file = tmp_path / "config.toml"
    file.write_text('# mine\ndefault = "x"  # chosen\n')
    for _ in range(2):
        add_table(str(file), "vendors", {"name": "a", "url": 'http://x/"q"'}, Schema)
    assert file.read_text() == (
        '# mine\ndefault = "x"  # chosen\n\n[[vendors]]\nname = "a"\nurl = "http://x/\\"q\\""\n'
    )


def test_a_file_is_made_where_there_is_none(tmp_path: Path):
    file = tmp_path / "new" / "config.toml"
    add_table(str(file), "vendors", {"name": "a"}, Schema)
    assert file.read_text() == '[[vendors]]\nname = "a"\n'
    assert file.stat().st_mode & 0o777 == 0o600


def test_another_table_of_the_same_name_is_not_overwritten(tmp_path: Path):
    file = tmp_path / "config.toml"
    add_table(str(file), "vendors", {"name": "a", "url": "1"}, Schema)
    before = file.read_text()
    with pytest.raises(ConfigurationError, match="named a"):
        add_table(str(file), "vendors", {"name": "a", "url": "2"}, Schema)
    assert file.read_text() == before


@pytest.mark.parametrize("text", ["vendors = 3\n", "vendors = [1]\n", "vendors = {}\n", "nonsense = 1\n"])
def test_a_file_that_was_wrong_before_is_left_alone(tmp_path: Path, text: str):
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError):
        add_table(str(file), "vendors", {"name": "a"}, Schema)
    assert file.read_text() == text
