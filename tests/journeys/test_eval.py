"""Can a person make one tool call by hand, through the same path and into the same transcript?"""

import json
import subprocess
import sys

from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

TEMPLATE = r"""
echo -e "line1\nline2\nline3" > "$SCRATCH/sdlc_test_read_input.txt"
daedal --eval '{"tool": "Read", "input": {"file_path": "'"$SCRATCH"'/sdlc_test_read_input.txt"}}'
RESULT=$(sqlite3 "$AGENT_SDLC_DB" \
  "SELECT payload_json FROM transcript_entries
   WHERE entry_type='tool_result' ORDER BY sequence DESC LIMIT 1")
echo "$RESULT" | grep '"is_error":false' || exit 1
echo "$RESULT" | grep 'line1' || exit 1
echo "$RESULT" | grep '3 lines' || exit 1
"""

SQLITE3 = """#!{python}
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print("|".join(map(str, row)))
"""


@requirement("SD-25", "SD-01")
def test_the_tool_contract_template_passes_as_it_stands(daedal: Daedal, tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "daedal").write_text(f'#!/bin/sh\nexec {sys.executable} -m daedal "$@"\n')
    (programs / "sqlite3").write_text(SQLITE3.format(python=sys.executable))
    for program in programs.iterdir():
        program.chmod(0o755)
    environment = daedal.environment(
        AGENT_SDLC_DB=str(tmp_path / "elsewhere" / "sdlc.db"), SCRATCH=str(tmp_path), TMPDIR=str(tmp_path)
    )
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    for _ in range(2):
        done = subprocess.run(
            ["bash", "-c", TEMPLATE], cwd=daedal.workspace, env=environment, capture_output=True, timeout=60
        )
        assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()


@requirement("SD-25")
def test_a_call_by_hand_leaves_call_verdict_and_result_on_the_record(daedal: Daedal):
    (daedal.workspace / "a.txt").write_text("alpha\n")
    run = daedal("--eval", '{"tool":"Read","input":{"file_path":"a.txt"}}')
    assert run.code == 0
    assert "alpha" in run.json["content"]
    assert run.json["is_error"] is False
    kinds = [kind for (kind,) in daedal.rows("SELECT entry_type FROM transcript_entries ORDER BY sequence")]
    assert kinds == ["system", "tool_use", "tool_result"]
    assert daedal.rows("SELECT decision FROM tool_permission_log") == [("allow",)]


@requirement("SD-25")
def test_a_call_by_hand_passes_the_same_gate(daedal: Daedal):
    wanted = '{"tool":"Bash","input":{"command":"touch made"}}'
    refused = daedal("--eval", wanted, "--no-sandbox")
    assert refused.code == 1
    assert "--approval yolo" in refused.json["content"]
    assert not (daedal.workspace / "made").exists()
    assert daedal("--eval", wanted, "--approval", "yolo").code == 0
    assert (daedal.workspace / "made").exists()


def test_what_cannot_be_a_call_is_a_usage_error(daedal: Daedal):
    for words in ("nonsense", "[]", '{"input":{}}', '{"tool":"Read","inptu":{}}', '{"tool":3}'):
        run = daedal("--eval", words)
        assert run.code == 2, words
        assert run.err.startswith("error: --eval takes")
        assert "Traceback" not in run.err


@requirement("SD-25", "SD-16/Agent")
def test_an_agent_called_by_hand_needs_a_model_to_be_named(daedal: Daedal, model):
    model([say("Done by the agent.")])
    task = {"description": "a task", "prompt": "Do it."}
    without = daedal("--eval", json.dumps({"tool": "Agent", "input": task}))
    assert without.code == 1
    assert "A call by hand has no model" in without.json["content"]
    assert "daedal setup" in without.json["content"]
    named = daedal("--eval", json.dumps({"tool": "Agent", "input": {**task, "model": "sonnet"}}))
    assert (named.code, "Done by the agent." in named.json["content"]) == (0, True), named.out
