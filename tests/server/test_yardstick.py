"""Is the recorded schema that of the real codex? Asked of the program itself, where it is installed."""

import os
import subprocess
from pathlib import Path

import pytest

from bench.peers import find_peer
from tests.server.gather_codex_schema import TARGET, gathered


def test_the_recorded_schema_is_what_codex_writes(tmp_path: Path):
    program = find_peer("codex")
    if program is None:
        pytest.skip("codex is not installed (npm install @openai/codex)")
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CODEX_HOME": str(tmp_path)}
    version = subprocess.run([program, "--version"], env=bare, capture_output=True, text=True, check=True, timeout=60)
    folder = tmp_path / "schema"
    subprocess.run(
        [program, "app-server", "generate-json-schema", "--out", str(folder)], env=bare, check=True, timeout=60
    )
    assert gathered(folder, version.stdout.split()[-1]) == TARGET.read_text()
