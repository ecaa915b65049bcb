"""What is a hook's process given, and what is made of its end, however it ends?"""

import json
import os
import sys
from pathlib import Path

import pytest

from daedal.protocol.verdict import Verdict
from tests.hooks.firing import CALL, HOST, fire, hooks_of
from tests.toolbox.requirement import requirement

MARKER = "\n[SDLC_OUTPUT_TRUNCATED]\n"
CAP = 4_194_304


@requirement("SD-13")
def test_a_hook_reads_one_json_object_and_one_newline(tmp_path: Path):
    fire(hooks_of({"command": "cat > told"}), tmp_path)
    told = (tmp_path / "told").read_bytes()
    assert told.endswith(b"}\n")
    assert not told.endswith(b"\n\n")
    assert json.loads(told) == {
        "hook_event_name": "PreToolUse",
        "session_id": "s1",
        "conversation_id": "c1",
        "runtime_db_path": os.path.abspath("ledger.db"),
        "cwd": str(tmp_path),
        **CALL,
    }


@requirement("SD-13")
def test_a_hook_gets_the_whole_environment_and_ours(tmp_path: Path):
    host = {**HOST, "MY_OWN_KEY": "kept", "SDLC_HOOK": "0"}
    fire(hooks_of({"command": "env > env; pwd > where"}), tmp_path, host=host)
    env = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines())
    assert env["MY_OWN_KEY"] == "kept"
    assert env["SDLC_HOOK"] == "1"
    assert env["AGENT_SDLC_DB"] == os.path.abspath("ledger.db")
    assert env["CLAUDE_PROJECT_DIR"] == str(tmp_path)
    assert env["LANG"] == "C.UTF-8"
    assert (tmp_path / "where").read_text().strip() == str(tmp_path)


@requirement("SD-13")
@pytest.mark.parametrize("name", ["LANG", "LC_ALL"])
def test_a_language_that_is_set_is_left_alone(tmp_path: Path, name: str):
    fire(hooks_of({"command": "echo $LANG/$LC_ALL > language"}), tmp_path, host={**HOST, name: "POSIX"})
    assert (tmp_path / "language").read_text().strip() == {"LANG": "POSIX/", "LC_ALL": "/POSIX"}[name]


@requirement("SD-13")
def test_each_shell_reads_the_command_itself(tmp_path: Path):
    answer = fire(
        hooks_of(
            {"command": "[[ -n $BASH_VERSION ]] && shopt -q login_shell && echo bash"},
            {"command": "echo $0", "shell": "sh"},
            {"command": "Write-Output pwsh", "shell": "powershell"},
        ),
        tmp_path,
    )
    assert answer.runs[0].stdout_text == "bash\n"
    assert answer.runs[1].stdout_text == "/bin/sh\n"


@requirement("SD-13")
def test_a_shell_that_is_not_there_is_a_failure_that_holds_nothing_up(tmp_path: Path):
    [run] = (answer := fire(hooks_of({"command": "x", "shell": "powershell"}), tmp_path)).runs
    if run.outcome != "broken":
        pytest.skip("PowerShell is installed here")
    assert (run.exit_code, run.stderr_text) == (None, "powershell is not installed")
    assert (answer.permission, answer.is_blocked, len(answer.broken)) == (None, False, 1)


@requirement("SD-13")
def test_a_folder_that_is_gone_is_a_failure_that_holds_nothing_up(tmp_path: Path):
    gone = tmp_path / "gone"
    answer = fire(hooks_of({"command": "touch ran"}), gone)
    [run] = answer.runs
    assert (run.exit_code, run.outcome, run.stderr_text) == (None, "broken", f"its folder {gone} does not exist")
    assert (answer.permission, answer.is_blocked) == (None, False)


@requirement("SD-13")
def test_bytes_that_are_no_text_are_replaced(tmp_path: Path):
    [run] = fire(
        hooks_of({"command": r"printf '\xff\xfeA\xe2\x82'; printf '\xef\xbb\xbf\x80' >&2; exit 1"}), tmp_path
    ).runs
    assert (run.stdout_text, run.stderr_text) == ("\ufffd\ufffdA\ufffd", "\ufffd")


@requirement("SD-13")
def test_ten_megabytes_are_cut_at_four_with_a_marker(tmp_path: Path):
    command = "head -c 10000000 /dev/zero | tr '\\0' x | tee /dev/stderr"
    [run] = fire(hooks_of({"command": command}), tmp_path).runs
    assert run.stdout_text == "x" * CAP + MARKER
    assert run.stderr_text == "x" * CAP + MARKER
    assert (run.exit_code, run.outcome) == (0, "ran")


@requirement("SD-12")
def test_a_denial_of_ten_megabytes_is_told_in_short(tmp_path: Path):
    answer = fire(hooks_of({"command": "head -c 10000000 /dev/zero | tr '\\0' x >&2; exit 2"}), tmp_path)
    assert answer.permission is Verdict.DENY
    assert len(answer.message) < 11_000
    assert "TRUNCATED" in answer.message


ENDINGS = {
    "exits with 1": ("echo oops >&2; exit 1", 1, "failed"),
    "dies of a signal": ("kill -KILL $$", 137, "failed"),
    "is no program": ("no-such-program-anywhere", 127, "failed"),
    "closes its input at once": ("exec <&-; exit 0", 0, "ran"),
    "prints half a JSON": ('echo \'{"decision": "blo\'', 0, "invalid"),
    "prints two JSON objects": ("echo '{}{}'", 0, "invalid"),
    "prints broken UTF-8 in JSON": (r"printf '{\"reason\": \"\xff\"}'", 0, "ran"),
    "asks for the background": ("echo '{\"async\": true}'", 0, "invalid"),
    "speaks for another event": ('echo \'{"hookSpecificOutput": {"hookEventName": "Stop"}}\'', 0, "invalid"),
    "prints a deep JSON": ("printf '{\"a\":'; head -c 100000 /dev/zero | tr '\\0' '['", 0, "invalid"),
    "prints text": ("echo fine", 0, "ran"),
    "objects": ("echo no >&2; exit 2", 2, "denied"),
}


@requirement("SD-12")
@pytest.mark.parametrize("name", list(ENDINGS))
def test_every_ending_has_a_name_and_none_is_an_exception(tmp_path: Path, name: str):
    command, code, outcome = ENDINGS[name]
    answer = fire(hooks_of({"command": command}), tmp_path)
    [run] = answer.runs
    assert (run.exit_code, run.outcome) == (code, outcome)
    assert answer.is_blocked == (outcome == "denied")
    assert bool(answer.broken) == (outcome in ("failed", "invalid"))


@requirement("SD-12")
@pytest.mark.parametrize(
    ("event", "fields", "is_blocked"),
    [
        ("PreToolUse", CALL, True),
        ("UserPromptSubmit", {"prompt": "hi"}, True),
        ("PostToolUse", {**CALL, "tool_response": "ok"}, False),
        ("Stop", {"stop_hook_active": False}, False),
    ],
)
def test_a_hook_that_hangs_ignores_sigterm_and_forks_is_ended(
    tmp_path: Path, event: str, fields: dict, is_blocked: bool
):
    command = "trap '' TERM; (trap '' TERM; exec sleep 1000) & echo $! > child; sleep 1000"
    hooks = hooks_of({"hook_event_name": event, "command": command, "timeout": 0.3})
    answer = fire(hooks, tmp_path, event, fields=fields)
    [run] = answer.runs
    assert (run.exit_code, run.outcome) == (None, "timed_out")
    assert (answer.is_blocked, len(answer.broken)) == (is_blocked, 1)
    child = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}")
    if sys.platform == "linux":
        assert not child.exists() or "State:\tZ" in (child / "status").read_text()


@requirement("SD-12")
def test_the_operator_sets_how_long_hooks_may_take(tmp_path: Path):
    host = {**HOST, "SDLC_HOOK_TIMEOUT_MS": "200"}
    assert fire(hooks_of({"command": "sleep 1000"}), tmp_path, host=host).runs[0].outcome == "timed_out"
    assert fire(hooks_of({"command": "sleep 0.5", "timeout": 60}), tmp_path, host=host).runs[0].outcome == "ran"


@requirement("SD-12")
def test_the_end_of_a_session_waits_a_moment_only(tmp_path: Path):
    hooks = hooks_of({"hook_event_name": "SessionEnd", "command": "sleep 1000"})
    assert fire(hooks, tmp_path, "SessionEnd", fields={"reason": "other"}).runs[0].outcome == "timed_out"
    patient = {**HOST, "SDLC_SESSIONEND_HOOK_TIMEOUT_MS": "60000", "SDLC_HOOK_TIMEOUT_MS": "1"}
    hooks = hooks_of({"hook_event_name": "SessionEnd", "command": "sleep 0.2"})
    assert fire(hooks, tmp_path, "SessionEnd", fields={"reason": "other"}, host=patient).runs[0].outcome == "ran"


def test_a_command_too_long_to_start_is_broken_not_an_exception(tmp_path: Path):
    answer = fire(hooks_of({"command": "true " + "x" * 3_000_000}), tmp_path)
    assert (answer.runs[0].outcome, answer.is_blocked) == ("broken", False)
    assert len(answer.runs[0].command) <= 10_000


@requirement("SD-07")
def test_no_secret_reaches_a_hook_or_the_record(tmp_path: Path):
    secret = "sk-very/secret-1234"
    (tmp_path / "said").write_text(r'{"systemMessage": "sk-very\/secret-1234", "reason": "sk-very/secret-1234"}')
    (tmp_path / "grumbled").write_text(secret)
    say = "cat > told; cat said; cat grumbled >&2"
    fields = {**CALL, "tool_input": {"command": f"echo {secret}", secret: [secret]}}
    answer = fire(hooks_of({"command": say}), tmp_path, fields=fields, secrets=[("KEY", secret)])
    [run] = answer.runs
    assert run.outcome == "ran"
    for text in ((tmp_path / "told").read_text(), repr(answer)):
        assert "secret-1234" not in text
        assert "[REDACTED:KEY]" in text


def test_half_characters_in_a_name_reach_a_hook_as_replacements(tmp_path: Path):
    hooks = hooks_of({"hook_event_name": "FileChanged", "matcher": ".+", "command": "cat > told"})
    answer = fire(hooks, tmp_path, "FileChanged", fields={"file_path": "a/\udcff.txt", "event": "add"})
    assert answer.runs[0].outcome == "ran"
    assert json.loads((tmp_path / "told").read_text())["file_path"] == "a/\ufffd.txt"


def test_an_input_nested_without_end_is_told_to_nobody(tmp_path: Path):
    deep: list = []
    for _ in range(5_000):
        deep = [deep]
    hooks = hooks_of({"command": "touch ran"}, {"command": "touch ran", "required": True, "if": "Bash(rm:*)"})
    answer = fire(hooks, tmp_path, fields={**CALL, "tool_input": {"command": deep}})
    assert [run.outcome for run in answer.runs] == ["broken", "broken"]
    assert (answer.is_blocked, (tmp_path / "ran").exists()) == (True, False)


def test_a_huge_input_reaches_the_hook_whole_and_the_record_in_short(tmp_path: Path):
    fields = {**CALL, "tool_response": "x" * 3_000_000}
    hooks = hooks_of({"hook_event_name": "PostToolUse", "command": "wc -c"})
    [run] = fire(hooks, tmp_path, "PostToolUse", fields=fields).runs
    assert int(run.stdout_text or 0) > 3_000_000
    kept = json.loads(run.input_json)
    assert (kept["tool_name"], kept["truncated_bytes"]) == ("Bash", int(run.stdout_text or 0))
