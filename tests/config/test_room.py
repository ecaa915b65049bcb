"""The room's door: an exact list of names, and light to open."""

import subprocess
import sys

import daedal.config


def test_every_public_name_can_be_imported() -> None:
    for name in daedal.config.__all__:
        assert getattr(daedal.config, name).__name__ == name


def test_a_start_with_an_unchanged_snapshot_loads_neither_the_toml_parser_nor_the_schema_tools() -> None:
    script = """
import sys
import msgspec
from daedal.config import Files, effective, fingerprint
class Settings(msgspec.Struct):
    fast: bool = False
rows = {}
files = Files("/nonexistent/config.toml")
rows["effective"] = '{"fast": true}'
books = {"fingerprint": fingerprint(files), "version": "any", "digest": 0, "warnings": []}
rows["effective.source"] = msgspec.json.encode(books).decode()
found = effective(
    Settings, snapshot=rows.get, put=rows.update, files=files, flags={}, model_config=lambda settings: None
)
assert found.value.fast
heavy = {"tomllib", "difflib", "pathlib", "daedal.config.loading", "daedal.config.schema", "daedal.config.lines"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
