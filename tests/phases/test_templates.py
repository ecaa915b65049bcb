"""The behavioural templates of the transactional runtime run as they stand, with our name for the product's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

TOOL_CONTRACT = r"""
# Setup: create a known file
echo -e "line1\nline2\nline3" > /tmp/sdlc_test_read_input.txt

# Exercise: invoke Read through the product's public CLI interface
daedal --eval '{"tool": "Read", "input": {"file_path": "/tmp/sdlc_test_read_input.txt"}}'

# Assert against observable outcomes:
# 1. transcript_entries row exists with entry_type='tool_result', is_error=false
RESULT=$(sqlite3 "$AGENT_SDLC_DB" \
  "SELECT payload_json FROM transcript_entries
   WHERE entry_type='tool_result' ORDER BY sequence DESC LIMIT 1")
echo "$RESULT" | grep '"is_error":false' || exit 1

# 2. Tool content references the file content
echo "$RESULT" | grep 'line1' || exit 1
echo "$RESULT" | grep '3 lines' || exit 1
"""

PHASE_TRANSITION = r"""
# Setup: conversation in implement phase
sqlite3 "$AGENT_SDLC_DB" \
  "INSERT INTO conversations(id, project_dir, phase) VALUES ('test-conv-1', '/tmp', 'implement')"

# Exercise: attempt direct transition to verify (must fail — test phase required)
daedal --transition verify --conversation test-conv-1 2>&1
PHASE=$(sqlite3 "$AGENT_SDLC_DB" "SELECT phase FROM conversations WHERE id='test-conv-1'")
test "$PHASE" = "implement" || exit 1  # still implement, not verify

# Exercise: transition to test (should succeed)
daedal --transition test --conversation test-conv-1
PHASE=$(sqlite3 "$AGENT_SDLC_DB" "SELECT phase FROM conversations WHERE id='test-conv-1'")
test "$PHASE" = "test" || exit 1
"""

HOOK_CONTRACT = r"""
# Setup: configure a PreToolUse hook that exits 2 (blocking)
sqlite3 "$AGENT_SDLC_DB" \
  "INSERT OR REPLACE INTO settings_snapshot(scope, json, updated_at)
   VALUES ('effective',
   '{\"hooks\":[{\"hook_event_name\":\"PreToolUse\",\"matcher\":\"Bash\",\"command\":\"exit 2\"}]}',
   datetime('now'))"

# Exercise: invoke Bash tool
daedal --eval '{"tool": "Bash", "input": {"command": "echo hello"}}'

# Assert: hook_invocations row with exit_code=2
sqlite3 "$AGENT_SDLC_DB" \
  "SELECT exit_code FROM hook_invocations
   WHERE hook_event='PreToolUse' AND tool_name='Bash'
   ORDER BY id DESC LIMIT 1" | grep '^2$' || exit 1

# Assert: transcript has tool_result with is_error=true (denied)
sqlite3 "$AGENT_SDLC_DB" \
  "SELECT payload_json FROM transcript_entries
   WHERE entry_type='tool_result' ORDER BY sequence DESC LIMIT 1" \
  | grep '"is_error":true' || exit 1
"""

STAND_IN = """#!{python}
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2]):
    print("|".join("" if value is None else str(value) for value in row))
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """`daedal`, and `sqlite3` where the machine has none."""
    folder = tmp_path / "bin"
    folder.mkdir()
    scripts = {"daedal": f'#!/bin/sh\nexec "{sys.executable}" -m daedal "$@"\n'}
    if shutil.which("sqlite3") is None:
        scripts["sqlite3"] = STAND_IN.format(python=sys.executable)
    for name, script in scripts.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    return folder


def run(daedal: Daedal, programs: Path, script: str) -> subprocess.CompletedProcess[str]:
    environment = daedal.environment(AGENT_SDLC_DB=str(daedal.root / "ledger.db"))
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    # The one change beside the name: the machine's own temporary folder is shared.
    script = script.replace("/tmp/", f"{daedal.workspace}/")
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=120, cwd=daedal.workspace, env=environment
    )


READ_NOTHING = 'daedal --eval \'{"tool": "Read", "input": {"file_path": "none"}}\'\n'


@requirement("SD-29")
def test_the_tool_contract_template_passes(daedal: Daedal, programs: Path):
    done = run(daedal, programs, TOOL_CONTRACT)
    assert done.returncode == 0, done


@requirement("SD-18", "SD-29")
def test_the_phase_transition_template_passes(daedal: Daedal, programs: Path):
    done = run(daedal, programs, READ_NOTHING + PHASE_TRANSITION)
    assert done.returncode == 0, done
    assert "the tests come first" in done.stdout


@requirement("SD-12", "SD-29")
def test_the_hook_contract_template_passes(daedal: Daedal, programs: Path):
    done = run(daedal, programs, READ_NOTHING + HOOK_CONTRACT)
    assert done.returncode == 0, done
