"""What does `daedal hooks` show? Those in force, what they would say, and what they said."""

import asyncio
import json
from pathlib import Path

import pytest

from daedal.ledger import Ledger
from daedal.protocol.records import HookRan, SessionOpened
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

CONFIG = """
[[hooks.PreToolUse]]
matcher = "Bash"
command = "echo no pushing >&2; exit 2"
required = true

[[hooks.PreToolUse]]
command = "cat > told"

[[hooks.Stop]]
type = "prompt"
prompt = "Is it done?"
"""
CALL = json.dumps({"tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "toolu_1"})


@pytest.fixture
def configured(daedal: Daedal) -> Daedal:
    folder = daedal.home / ".daedal"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(CONFIG)
    (daedal.workspace / "call.json").write_text(CALL)
    return daedal


def test_the_list_shows_hooks_in_order_and_what_is_ignored(configured: Daedal):
    shown = configured("hooks", "list", "--json").json
    assert [(hook["ordinal"], hook["event"], hook["matcher"], hook["required"]) for hook in shown["hooks"]] == [
        (0, "PreToolUse", "Bash", True),
        (1, "PreToolUse", "", False),
    ]
    file = str(configured.home / ".daedal" / "config.toml")
    assert shown["hooks"][0]["source"] == f"{file}:2"
    assert len(shown["invalid"]) == 1
    assert "prompt" in shown["invalid"][0]
    text = configured("hooks")
    assert text.code == 0
    assert "echo no pushing" in text.out
    assert "ignored: " in text.out


def test_without_hooks_the_list_says_so(daedal: Daedal):
    done = daedal("hooks")
    assert (done.code, done.err) == (0, "")
    assert "No hooks" in done.out
    assert daedal("hooks", "--json").json == {"hooks": [], "invalid": []}


@requirement("SD-12")
def test_a_test_runs_the_hooks_and_tells_what_they_come_to(configured: Daedal):
    done = configured("hooks", "test", "PreToolUse", "--input", "call.json", "--json")
    assert done.code == 0
    answer = done.json
    assert (answer["permission"], answer["is_blocked"], answer["message"]) == ("deny", True, "[0] no pushing")
    assert [run["outcome"] for run in answer["runs"]] == ["denied", "skipped"]
    assert not (configured.workspace / "told").exists()
    text = configured("hooks", "test", "--input", "-", "PreToolUse", stdin=CALL).out
    assert "DENIED" in text
    assert "skipped" in text
    other = CALL.replace('"Bash"', '"Read"')
    assert configured("hooks", "test", "PreToolUse", "--input", "-", stdin=other).code == 0
    assert json.loads((configured.workspace / "told").read_text())["tool_name"] == "Read"


def test_a_hook_that_breaks_in_a_test_is_an_exit_code(configured: Daedal):
    (configured.home / ".daedal" / "config.toml").write_text('[[hooks.Stop]]\ncommand = "exit 7"\n')
    done = configured("hooks", "test", "Stop", "--input", "-", stdin='{"stop_hook_active": false}')
    assert done.code == 1
    assert "failed (exit 7)" in done.out


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (["hooks", "test"], ""),
        (["hooks", "list", "Stop"], ""),
        (["hooks", "test", "Nope"], ""),
        (["hooks", "test", "Stop", "--input", "missing.json"], ""),
        (["hooks", "test", "Stop", "--input", "."], ""),
        (["hooks", "test", "Stop", "--input", "-"], "{"),
        (["hooks", "test", "Stop", "--input", "-"], "[]"),
        (["hooks", "test", "Stop", "--input", "-"], "{}"),
        (["hooks", "test", "Stop", "--input", "-"], '{"stop_hook_active": "no"}'),
        (["hooks", "test", "Stop", "--input", "-"], '{"stop_hook_active": false, "cwd": 3}'),
        (["hooks", "log", "--limit", "0"], ""),
    ],
)
def test_a_mistake_is_a_sentence(configured: Daedal, words: list[str], stdin: str):
    done = configured(*words, stdin=stdin)
    assert (done.code, done.out) == (2, "")
    assert "error" in done.err
    assert "Traceback" not in done.err


@requirement("SD-11")
def test_the_log_tells_denied_from_broken(daedal: Daedal):
    assert "no hook has run" in daedal("hooks", "log").out
    record(daedal.database)
    rows = daedal("hooks", "log", "--json").json
    assert [(row["hook_ordinal"], row["outcome"]) for row in rows] == [(2, "skipped"), (1, "broken"), (0, "denied")]
    text = daedal("hooks", "log", "--session", "s1").out
    assert "DENIED (exit 2)" in text
    assert "could not run" in text
    assert "skipped (prior_block_or_deny)" in text
    assert "hidden" not in text
    assert len(daedal("hooks", "log", "--limit", "1", "--json").json) == 1
    assert daedal("hooks", "log", "--session", "nope").code == 2


def record(database: Path) -> None:
    def row(ordinal: int, **fields: object) -> HookRan:
        whole = {
            "hook_event": "PreToolUse",
            "hook_ordinal": ordinal,
            "matcher": "",
            "command": "check",
            "input_json": "{}",
            "started_at": "2026-01-02 03:04:05.678",
            **fields,
        }
        return HookRan(**whole)

    opened = SessionOpened(session_id="s1", conversation_id="c1", project_dir="p", provider="x", model_id="y")
    quiet = '{"suppressOutput": true, "reason": "hidden"}'
    rows = [
        row(0, exit_code=2, stderr_text="no", stdout_text=quiet, outcome="denied"),
        row(1, stderr_text="gone", outcome="broken"),
        row(2, skipped_reason="prior_block_or_deny", outcome="skipped"),
    ]
    database.parent.mkdir(parents=True, exist_ok=True)
    ledger = Ledger.open(str(database))
    try:
        asyncio.run(ledger.commit("s1", [opened, *rows]))
    finally:
        ledger.close()
