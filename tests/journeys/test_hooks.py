"""Do the user's scripts run when they should, in their order, and is each run on the record?

Here are also the words that the other journeys about hooks use.
"""

import json
import shlex
from collections.abc import Mapping
from typing import Any

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

TOUCH = call("Bash", command="touch ran")
KEY = "sk-ant-very-secret-0123456789"
COLUMNS = [
    *("hook_event", "hook_ordinal", "matcher", "command", "tool_use_id", "tool_name", "input_json", "exit_code"),
    *("stdout_text", "stderr_text", "started_at", "completed_at", "skipped_reason", "outcome", "source", "turn_id"),
]

Wanted = tuple[str, str] | tuple[str, str, Mapping[str, Any]]
"""An event, a command, and further keys."""


def with_hooks(daedal: Daedal, *wanted: Wanted, further: str = "") -> None:
    """Configures them, in the quick shell; `further` is more TOML."""
    tables = [further]
    for event, command, *rest in wanted:
        keys = {"command": command, "shell": "sh", **(rest[0] if rest else {})}
        tables.append(f"[[hooks.{event}]]\n" + "".join(f"{key} = {json.dumps(keys[key])}\n" for key in keys))
    configure(daedal, "\n".join(tables))


def saying(event: str = "", /, *, beside: Mapping[str, Any] | None = None, **arm: Any) -> str:
    """A command that answers with JSON: the event's own arm, and what stands beside it."""
    own = {"hookSpecificOutput": {"hookEventName": event, **arm}} if event else {}
    return f"printf %s {shlex.quote(json.dumps({**own, **(beside or {})}))}"


def listening(daedal: Daedal, name: str = "heard", then: str = "true") -> str:
    """A command that keeps what it is told."""
    return f"cat >> {shlex.quote(str(daedal.root / name))}; {then}"


def heard(daedal: Daedal, name: str = "heard") -> list[dict[str, Any]]:
    file = daedal.root / name
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def runs(daedal: Daedal, event: str | None = None) -> list[dict[str, Any]]:
    """The rows of hooks, in order."""
    where = "WHERE hook_event = ?" if event else "WHERE ?1 IS NULL"
    found = daedal.rows(f"SELECT {', '.join(COLUMNS)} FROM hook_invocations {where} ORDER BY id", event)
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def outcomes(daedal: Daedal, event: str | None = None) -> list[str]:
    return [run["outcome"] for run in runs(daedal, event)]


def told(request: Any) -> str:
    """What the model was told last, as text."""
    return json.dumps(request.json["messages"][-1]["content"], ensure_ascii=False)


@requirement("SD-09", "SD-11", "SD-13")
def test_every_run_is_a_row_with_input_output_exit_code_and_times(daedal: Daedal, model):
    with_hooks(daedal, ("PreToolUse", listening(daedal, then="echo out; echo err >&2; exit 3"), {"matcher": "Bash"}))
    model([TOUCH, say("Done.")])
    assert daedal("exec", "Go.").code == 0
    (run,) = runs(daedal)
    (stdin,) = heard(daedal)
    assert json.loads(run["input_json"]) == stdin
    assert stdin == {
        "hook_event_name": "PreToolUse",
        "session_id": daedal.session,
        "conversation_id": daedal.rows("SELECT id FROM conversations")[0][0],
        "runtime_db_path": str(daedal.database),
        "cwd": str(daedal.workspace),
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": "touch ran"},
        "tool_use_id": run["tool_use_id"],
    }
    assert (run["exit_code"], run["stdout_text"], run["stderr_text"]) == (3, "out\n", "err\n")
    assert (run["matcher"], run["tool_name"], run["outcome"]) == ("Bash", "Bash", "failed")
    assert run["source"].startswith(str(daedal.home / ".daedal" / "config.toml"))
    assert run["started_at"] <= run["completed_at"]
    assert [(run["turn_id"],)] == daedal.rows("SELECT turn_id FROM turns")


@requirement("SD-11")
def test_the_order_is_that_of_the_settings_whatever_each_hook_costs_and_neighbours_alike_run_once(
    daedal: Daedal, model
):
    log = shlex.quote(str(daedal.root / "order"))
    slow = f"while [ ! -s {log} ] && [ $((i=i+1)) -lt 20000 ]; do :; done; echo slow >> {log}"
    quick = f"echo quick >> {log}"
    with_hooks(daedal, *[("PreToolUse", command) for command in (slow, quick, quick, slow, quick)])
    model([TOUCH, say("Done.")])
    daedal("exec", "Go.")
    assert (daedal.root / "order").read_text().split() == ["slow", "quick", "slow", "quick"]
    rows = runs(daedal)
    assert [run["hook_ordinal"] for run in rows] == [0, 1, 2, 3]
    times = [time for run in rows for time in (run["started_at"], run["completed_at"])]
    assert times == sorted(times)


@requirement("SD-10")
def test_a_matcher_chooses_the_calls(daedal: Daedal, model):
    (daedal.workspace / "a.txt").write_text("a\n")
    chosen = ["Bash", "Read|Glob", "^R.*d$", "Rea", "", "*", "("]
    with_hooks(daedal, *[("PreToolUse", f": {matcher!r}", {"matcher": matcher}) for matcher in chosen])
    model([calls(("Read", {"file_path": "a.txt"}), ("Bash", {"command": "true"})), say("Done.")])
    run = daedal("exec", "Go.")
    ran = [(row["tool_name"], row["matcher"]) for row in runs(daedal)]
    assert ran == [
        *[("Read", matcher) for matcher in ("Read|Glob", "^R.*d$", "", "*")],
        *[("Bash", matcher) for matcher in ("Bash", "", "*")],
    ]
    assert "the matcher ( matches nothing" in run.err


@requirement("SD-12")
def test_all_hooks_can_be_switched_off_and_each_skip_is_a_row(daedal: Daedal, model):
    with_hooks(daedal, ("PreToolUse", "exit 2"), ("UserPromptSubmit", "exit 2"), ("SessionEnd", "touch ended"))
    model([TOUCH, say("Done.")])
    assert daedal("exec", "Go.", SDLC_DISABLE_ALL_HOOKS="1").code == 0
    assert (daedal.workspace / "ran").exists()
    assert not (daedal.workspace / "ended").exists()
    rows = runs(daedal)
    assert [row["hook_event"] for row in rows] == ["UserPromptSubmit", "PreToolUse", "SessionEnd"]
    assert {row["skipped_reason"] for row in rows} == {"SDLC_DISABLE_ALL_HOOKS"}
    assert {row["exit_code"] for row in rows} == {None}


@requirement("SD-07", "SD-09")
def test_no_secret_reaches_a_hook_or_its_row(daedal: Daedal, model):
    (daedal.workspace / "leak.txt").write_text(f"key = {KEY}\n")
    echo = listening(daedal, then='echo "$ANTHROPIC_API_KEY"; echo "$ANTHROPIC_API_KEY" >&2; exit 2')
    context = listening(daedal) + '; printf \'{"systemMessage": "it is %s"}\' "$ANTHROPIC_API_KEY"'
    with_hooks(daedal, ("UserPromptSubmit", listening(daedal)), ("PostToolUse", echo), ("PostToolUse", context))
    server = model([call("Read", file_path="leak.txt"), call("Bash", command=f"echo {KEY}"), say("Done.")])
    run = daedal("exec", f"My key is {KEY}.", ANTHROPIC_API_KEY=KEY)
    assert run.code == 0
    assert len(heard(daedal)) == 5
    assert KEY not in (daedal.root / "heard").read_text()
    assert "[REDACTED:ANTHROPIC_API_KEY]" in (daedal.root / "heard").read_text()
    assert KEY not in json.dumps(runs(daedal))
    assert "[REDACTED:ANTHROPIC_API_KEY]" in runs(daedal, "PostToolUse")[0]["stderr_text"]
    assert KEY not in run.err
    assert all(KEY.encode() not in request.body for request in server.requests)
    for file in daedal.database.parent.rglob("daedal.db*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes()


@requirement("SD-25", "SD-11")
def test_a_call_by_hand_passes_the_same_hooks(daedal: Daedal):
    with_hooks(daedal, ("PreToolUse", "echo no >&2; exit 2"), ("SessionStart", "true"), ("SessionEnd", "true"))
    run = daedal("--eval", json.dumps({"tool": "Bash", "input": {"command": "touch ran"}}))
    assert run.code == 1
    assert run.json["is_error"]
    assert "[0] no" in run.json["content"]
    assert not (daedal.workspace / "ran").exists()
    assert [row["hook_event"] for row in runs(daedal)] == ["SessionStart", "PreToolUse", "SessionEnd"]


@requirement("SD-11", "SD-14")
def test_the_log_shows_what_each_hook_came_to(daedal: Daedal, model):
    with_hooks(
        daedal,
        ("PreToolUse", "exit 1", {"matcher": "Bash"}),
        ("PreToolUse", "no-such-program", {"matcher": "Bash"}),
        ("PreToolUse", "echo never >&2; exit 2", {"matcher": "Bash"}),
        ("PreToolUse", "true", {"matcher": "Bash"}),
        ("PreToolUse", saying(beside={"suppressOutput": True, "reason": "whisper"}), {"matcher": "Read"}),
    )
    model([calls(("Bash", {"command": "true"}), ("Read", {"file_path": "none"})), say("Done.")])
    daedal("exec", "Go.")
    *others, failed = daedal("hooks", "log").out.splitlines()
    assert "failed (exit 1)" in failed
    log = "\n".join(others)
    for words in ("failed (exit 127)", "no-such-program: not found", "DENIED (exit 2)", "never", "prior_block_or_deny"):
        assert words in log
    assert log.count("whisper") == 1, "the command is shown, its output is not"
    logged = daedal("hooks", "log", "--json").json
    assert [row["outcome"] for row in reversed(logged)] == ["failed", "failed", "denied", "skipped", "ran"]
