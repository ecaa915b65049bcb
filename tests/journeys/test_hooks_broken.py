"""What if a script hangs, crashes, babbles or leaves something behind? The turn goes on or is blocked as is written.

That a hook denied and that it did not do its work are two things, in what is shown, in the log and in the rows.
"""

import json
import signal
from pathlib import Path

import pytest

from tests.crash import story
from tests.journeys.test_cli_signals import has_begun, working_in
from tests.journeys.test_gate import verdicts
from tests.journeys.test_hooks import TOUCH, heard, listening, outcomes, runs, told, with_hooks
from tests.journeys.test_interrupting import wait_for
from tests.toolbox.model_server import ModelServer, call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

BROKEN = {
    "crash": ("exit 1", "failed", "exited with 1"),
    "signal": ("kill -9 $$", "failed", "exited with"),
    "missing": ("./no-such-hook", "failed", "not found"),
    "not executable": ("./plain.txt", "failed", "ermission denied"),
    "half a JSON": ('printf \'{"decision": "blo\'', "invalid", "no JSON"),
    "no schema": ('printf \'{"decision": "maybe"}\'', "invalid", "does not fit the schema"),
    "another's arm": (
        'printf \'{"hookSpecificOutput": {"hookEventName": "Setup"}}\'',
        "invalid",
        "does not belong to PreToolUse",
    ),
    "async": ("printf '{\"async\": true}'", "invalid", "async"),
    "no shell": ("exit 2", "broken", "powershell is not installed"),
}


def prepare(daedal: Daedal, **keys: object) -> None:
    """Each of them for a call of its own."""
    (daedal.workspace / "plain.txt").write_text("I am no program.\n")
    hooks = [
        (
            "PreToolUse",
            command,
            {**keys, "if": f"Bash(touch {at})", **({"shell": "powershell"} if at == NO_SHELL else {})},
        )
        for at, (command, _, _) in enumerate(BROKEN.values())
    ]
    with_hooks(daedal, *hooks)


NO_SHELL = list(BROKEN).index("no shell")
TOUCHES = calls(*(("Bash", {"command": f"touch {at}"}) for at in range(len(BROKEN))))


@requirement("SD-12", "SD-13")
def test_a_hook_that_breaks_holds_nothing_up_and_that_is_said(daedal: Daedal, model):
    prepare(daedal)
    model([TOUCHES, say("Done.")])
    run = daedal("exec", "Go.")
    assert run.code == 0
    said = run.err.splitlines()
    for at, (name, (_, outcome, words)) in enumerate(BROKEN.items()):
        assert (daedal.workspace / str(at)).exists(), name
        assert [ran["outcome"] for ran in runs(daedal) if ran["hook_ordinal"] == at] == [outcome], name
        (told_of,) = [line for line in said if f"a hook could not do its work: PreToolUse hook {at}" in line]
        assert words in told_of
    assert len(runs(daedal)) == len(BROKEN)
    assert "DENIED" not in daedal("hooks", "log").out


@requirement("SD-12")
def test_a_required_hook_that_breaks_denies_the_call_and_is_still_told_apart(daedal: Daedal, model):
    prepare(daedal, required=True)
    server = model([TOUCHES, say("Pity.")])
    run = daedal("exec", "Go.", "--approval", "yolo")
    assert run.code == 0
    assert verdicts(daedal) == [("Bash", "deny", "hook PreToolUse")] * len(BROKEN)
    answers = server.requests[1].json["messages"][-1]["content"]
    for at, (name, (_, outcome, words)) in enumerate(BROKEN.items()):
        assert not (daedal.workspace / str(at)).exists(), name
        assert "a hook that must approve this call did not do its work" in str(answers[at]), name
        assert [ran["outcome"] for ran in runs(daedal) if ran["hook_ordinal"] == at] == [outcome], name
        assert words in run.err, name


@requirement("SD-12")
def test_a_hook_that_hangs_before_a_call_denies_it_and_is_ended(daedal: Daedal, model):
    hang = "trap '' TERM; (setsid sleep 1000 &); echo 'thinking' >&2; sleep 1000"
    with_hooks(daedal, ("PreToolUse", hang, {"timeout": 0.3}), ("PreToolUse", "true"))
    server = model([TOUCH, say("Pity.")])
    run = daedal("exec", "Go.", "--approval", "yolo")
    assert run.code == 0
    assert not (daedal.workspace / "ran").exists()
    assert "thinking" in told(server.requests[1])
    late, skipped = runs(daedal)
    assert (late["outcome"], late["exit_code"]) == ("timed_out", None)
    assert skipped["skipped_reason"] == "prior_block_or_deny"
    assert "PreToolUse hook 0 timed out" in run.err
    assert "timed out" in daedal("hooks", "log").out
    wait_for(lambda: working_in(daedal.workspace) == [])


@requirement("SD-12")
def test_a_hook_that_hangs_over_a_prompt_blocks_it(daedal: Daedal, model):
    with_hooks(daedal, ("UserPromptSubmit", "sleep 1000"))
    server = model([say("Never.")])
    run = daedal("exec", "Go.", SDLC_HOOK_TIMEOUT_MS="300")
    assert run.code == 1
    assert "did not answer in time" in run.err
    assert server.requests == []
    assert outcomes(daedal) == ["timed_out"]


@requirement("SD-12")
def test_a_hook_that_hangs_after_a_call_holds_nothing_up(daedal: Daedal, model):
    with_hooks(daedal, ("PostToolUse", "sleep 1000", {"timeout": 0.3}), ("PostToolUse", listening(daedal)))
    server = model([TOUCH, say("Done.")])
    run = daedal("exec", "Go.")
    assert run.code == 0
    assert len(heard(daedal)) == 1
    assert "in time" not in told(server.requests[1])
    assert outcomes(daedal) == ["timed_out", "ran"]
    wait_for(lambda: working_in(daedal.workspace) == [])


@requirement("SD-12")
def test_asking_to_go_on_in_the_background_does_not_lift_an_objection(daedal: Daedal, model):
    with_hooks(daedal, ("PreToolUse", "printf '{\"async\": true}'; echo no >&2; exit 2"))
    model([TOUCH, say("Pity.")])
    daedal("exec", "Go.", "--approval", "yolo")
    assert verdicts(daedal) == [("Bash", "deny", "hook PreToolUse")]


@requirement("SD-13")
def test_ten_megabytes_and_bytes_that_are_no_text_are_kept_in_bounds(daedal: Daedal, model):
    babble = "head -c 10000000 /dev/zero | tr '\\0' a"
    with_hooks(
        daedal, ("PreToolUse", babble), ("PreToolUse", "printf 'a\\377b'"), ("PreToolUse", f"{babble} >&2; exit 2")
    )
    server = model([TOUCH, say("Pity.")])
    assert daedal("exec", "Go.").code == 0
    big, odd, loud = runs(daedal)
    marker = "\n[SDLC_OUTPUT_TRUNCATED]\n"
    assert big["stdout_text"] == "a" * 4_194_304 + marker
    assert odd["stdout_text"] == "a�b"
    assert loud["stderr_text"] == "a" * 4_194_304 + marker
    assert loud["outcome"] == "denied"
    assert len(server.requests[1].body) < 100_000


@requirement("SD-13")
def test_a_hook_that_does_not_read_is_not_waited_for(daedal: Daedal, model):
    with_hooks(daedal, ("PreToolUse", "exec 0<&-; echo deaf"), ("PreToolUse", "true"))
    model([call("Write", file_path="big.txt", content="x" * 2_000_000), say("Done.")])
    assert daedal("exec", "Go.", "--provider", "lm_studio_local").code == 0  # of its window nothing is known
    assert outcomes(daedal) == ["ran", "ran"]
    assert (daedal.workspace / "big.txt").exists()
    brief = json.loads(runs(daedal)[0]["input_json"])
    assert brief["tool_name"] == "Write"
    assert brief["truncated_bytes"] > 2_000_000


@requirement("SD-13")
def test_what_a_hook_leaves_running_holds_nothing_up_and_ends_with_the_session(daedal: Daedal, model):
    with_hooks(daedal, ("PreToolUse", "setsid sleep 1000 & echo started"), ("Stop", "sleep 1000 &"))
    model([TOUCH, say("Done.")])
    assert daedal("exec", "Go.").code == 0
    assert outcomes(daedal) == ["ran", "ran"]
    assert runs(daedal)[0]["stdout_text"] == "started\n"
    wait_for(lambda: working_in(daedal.workspace) == [])


@requirement("SD-13")
def test_a_folder_that_is_gone_is_a_hook_that_could_not_run(daedal: Daedal, model):
    (daedal.workspace / "sub").mkdir()
    with_hooks(daedal, ("PostToolUse", "true"))
    model([call("Bash", command="cd sub"), call("Bash", command="rmdir ../sub"), say("Done.")])
    run = daedal("exec", "Go.")
    assert run.code == 0
    assert outcomes(daedal) == ["ran", "broken"]
    assert runs(daedal)[1]["exit_code"] is None
    assert "could not run" in run.err
    assert "does not exist" in runs(daedal)[1]["stderr_text"]


@requirement("SD-02", "SD-11", "DX-04")
def test_killed_during_a_call_there_is_no_half_row_and_its_hooks_do_not_run_again(daedal: Daedal, model):
    with_hooks(daedal, ("PreToolUse", listening(daedal)), ("PostToolUse", listening(daedal)))
    wait = "echo $$ > started; sleep 1000"
    model([call("Bash", command=wait), say("Understood.")], pick="depth")
    process = daedal.start("exec", "Go.")
    wait_for(lambda: has_begun(daedal))
    process.kill()
    process.communicate()
    assert runs(daedal) == []
    assert daedal.results() == []
    assert len(heard(daedal)) == 1
    assert daedal("exec", "-r", daedal.session).code == 0
    assert daedal.results()[0]["content"].startswith(story.UNKNOWN)
    assert runs(daedal) == []
    assert len(heard(daedal)) == 1
    wait_for(lambda: working_in(daedal.workspace) == [])


@requirement("SD-02", "SD-11", "DX-04")
def test_killed_at_any_commit_a_call_has_all_its_rows_and_its_result_or_none(tmp_path: Path):
    replies = [calls(("Bash", {"command": "true"}), ("Read", {"file_path": "none"})), say("Done.")]
    complete = 0
    with ModelServer(replies, pick="depth", after="repeat") as server:
        for number in range(1, 20):
            daedal = Daedal(tmp_path / str(number), env=server.env())
            with_hooks(
                daedal, ("PreToolUse", "true"), ("PreToolUse", ":"), ("PostToolUse", ":"), ("PostToolUseFailure", ":")
            )
            run = daedal("exec", "Go.", PYTHONPATH=str(story.KILLER), KILL_AT=f"after:{number}")
            if run.code != -signal.SIGKILL:
                assert run.code == 0, run.err
                break
            begun = daedal.rows("SELECT 1 FROM sqlite_master WHERE name = 'hook_invocations'")
            rows = [(row["tool_name"], row["hook_event"]) for row in runs(daedal)] if begun else []
            results = len(daedal.results()) if begun else 0
            assert (len(rows), results) in [(0, 0), (6, 2)], rows
            complete += bool(rows)
        else:
            pytest.fail("it never came to its end")
    assert complete
