"""Do hooks run one at a time, in order, each on record, each hearing what those before it changed?"""

import asyncio
import json
import os
from pathlib import Path

import pytest

from daedal.hooks import HookRunner
from daedal.protocol.hooks import HookAnswer, HookEvent
from daedal.protocol.redaction import Redactor
from daedal.protocol.verdict import Verdict
from daedal.sandbox import ProcessSpawner
from tests.hooks.firing import CALL, HOST, fire, hooks_of, scene
from tests.toolbox.requirement import requirement


def say(**output: object) -> str:
    return f"echo '{json.dumps(output)}'"


def arm(event: str = "PreToolUse", **fields: object) -> str:
    return say(hookSpecificOutput={"hookEventName": event, **fields})


@requirement("SD-11")
def test_hooks_run_one_after_another_in_their_order(tmp_path: Path):
    slow_first = [{"command": f"echo {n}a >> log; sleep 0.0{3 - n}; echo {n}b >> log"} for n in range(3)]
    answer = fire(hooks_of(*slow_first), tmp_path)
    assert (tmp_path / "log").read_text().split() == ["0a", "0b", "1a", "1b", "2a", "2b"]
    assert [run.hook_ordinal for run in answer.runs] == [0, 1, 2]


@requirement("SD-11")
def test_every_run_and_every_skip_is_on_record(tmp_path: Path):
    answer = fire(
        hooks_of(
            {"command": "echo hi"},
            {"matcher": "Edit", "command": "touch never"},
            {"matcher": "Bash", "command": "echo no >&2; exit 2"},
            {"command": "touch never"},
            {"matcher": "Edit", "command": "touch never"},
        ),
        tmp_path,
    )
    rows = [(run.hook_ordinal, run.exit_code, run.outcome, run.skipped_reason) for run in answer.runs]
    assert rows == [(0, 0, "ran", None), (2, 2, "denied", None), (3, None, "skipped", "prior_block_or_deny")]
    ran, denied, skipped = answer.runs
    assert (ran.stdout_text, denied.stderr_text, skipped.stdout_text) == ("hi\n", "no\n", None)
    assert (ran.tool_name, ran.tool_use_id, ran.turn_id, ran.source) == ("Bash", "toolu_1", "t1", "config.toml")
    assert json.loads(ran.input_json)["tool_input"] == {"command": "ls"}
    assert ran.completed_at is not None
    assert ran.started_at <= ran.completed_at <= denied.started_at
    assert skipped.completed_at is None
    assert not (tmp_path / "never").exists()
    assert (answer.permission, answer.message) == (Verdict.DENY, "[2] no")


@requirement("SD-14")
def test_a_changed_input_is_what_later_hooks_hear(tmp_path: Path):
    answer = fire(
        hooks_of(
            {"command": arm(updatedInput={"command": "ls -l"})},
            {"command": "cat > told"},
            {"command": arm(updatedInput={"command": "ls -la"}, permissionDecision="allow")},
            {"command": "cat > told_last"},
        ),
        tmp_path,
    )
    assert json.loads((tmp_path / "told").read_text())["tool_input"] == {"command": "ls -l"}
    assert json.loads((tmp_path / "told_last").read_text())["tool_input"] == {"command": "ls -la"}
    assert (answer.permission, answer.updated_input) == (Verdict.ALLOW, {"command": "ls -la"})
    assert json.loads(answer.runs[3].input_json)["tool_input"] == {"command": "ls -la"}


@requirement("SD-14")
def test_a_condition_is_a_permission_rule_on_the_call_as_it_stands(tmp_path: Path):
    hooks = hooks_of(
        {"if": "Bash(git push:*)", "command": "touch first"},
        {"command": arm(updatedInput={"command": "git push origin"})},
        {"if": "Bash(git push:*)", "command": "touch second"},
        {"if": "Edit", "command": "touch third"},
    )
    assert [run.hook_ordinal for run in fire(hooks, tmp_path).runs] == [1, 2]


def test_a_condition_never_holds_where_there_is_no_call(tmp_path: Path):
    hooks = hooks_of({"hook_event_name": "Stop", "if": "Bash", "command": "true"})
    assert fire(hooks, tmp_path, "Stop", fields={"stop_hook_active": False}) == HookAnswer()


@requirement("SD-27")
def test_all_hooks_can_be_switched_off_and_that_is_on_record(tmp_path: Path):
    hooks = hooks_of({"command": "exit 2", "required": True}, {"command": "touch ran"})
    answer = fire(hooks, tmp_path, host={**HOST, "SDLC_DISABLE_ALL_HOOKS": "1"})
    assert [(run.outcome, run.skipped_reason) for run in answer.runs] == [("skipped", "SDLC_DISABLE_ALL_HOOKS")] * 2
    assert (answer.permission, answer.is_blocked, (tmp_path / "ran").exists()) == (None, False, False)
    assert fire(hooks, tmp_path, host={**HOST, "SDLC_DISABLE_ALL_HOOKS": "0"}).is_blocked


@requirement("SD-12")
def test_denied_and_could_not_run_are_told_apart(tmp_path: Path):
    denied = fire(hooks_of({"command": "exit 2"}), tmp_path)
    broken = fire(hooks_of({"command": "exit 2"}), tmp_path / "gone")
    closed = fire(hooks_of({"command": "exit 2", "required": True}), tmp_path / "gone")
    assert [(a.is_blocked, bool(a.broken), a.runs[0].outcome) for a in (denied, broken, closed)] == [
        (True, False, "denied"),
        (False, True, "broken"),
        (True, True, "broken"),
    ]


@requirement("SD-12")
def test_after_a_tool_every_hook_runs_and_all_feedback_is_told(tmp_path: Path):
    hooks = hooks_of(
        {"hook_event_name": "PostToolUse", "command": "echo lint >&2; exit 2"},
        {"hook_event_name": "PostToolUse", "command": "exit 1"},
        {"hook_event_name": "PostToolUse", "command": say(decision="block", reason="tests")},
    )
    answer = fire(hooks, tmp_path, "PostToolUse", fields={**CALL, "tool_response": {"ok": True}})
    assert (answer.message, answer.is_blocked, len(answer.broken)) == ("[0] lint\ntests", False, 1)
    assert [run.outcome for run in answer.runs] == ["denied", "failed", "denied"]


def test_a_runner_listens_to_what_it_has_hooks_for(tmp_path: Path):
    runner = HookRunner(
        hooks_of({"command": "true"}),
        spawner=ProcessSpawner(()),
        redact=Redactor([]),
        db_path="ledger.db",
        project_dir=str(tmp_path),
    )
    assert [event for event in HookEvent if runner.listens(event)] == [HookEvent.PRE_TOOL_USE]


def test_a_cancelled_firing_ends_the_hook(tmp_path: Path):
    async def scenario() -> None:
        spawner = ProcessSpawner(())
        runner = HookRunner(
            hooks_of({"command": "echo started > fifo; sleep 1000"}),
            spawner=spawner,
            redact=Redactor([]),
            db_path="ledger.db",
            project_dir=str(tmp_path),
        )
        firing = asyncio.create_task(runner.fire(HookEvent.PRE_TOOL_USE, scene(tmp_path), CALL))
        reading = await asyncio.create_subprocess_exec("cat", str(tmp_path / "fifo"), stdout=asyncio.subprocess.PIPE)
        assert await reading.communicate() == (b"started\n", None)
        firing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await firing
        await spawner.close()

    os.mkfifo(tmp_path / "fifo")
    asyncio.run(scenario())
