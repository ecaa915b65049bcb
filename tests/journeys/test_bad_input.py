"""Is whatever can be wrong answered clearly: what, why, what next, the right exit code, and nothing lost?"""

import os
import sqlite3
from pathlib import Path

import pytest

from tests.toolbox.model_server import call, cut_off, drop, empty, fail, page, refuse, say
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement

QUICK = "[network]\nattempts_max = 3\nbackoff_base_s = 0.01\nbackoff_max_s = 0.02\n"


def configure(daedal: Daedal, text: str) -> Path:
    config = daedal.home / ".daedal" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(text)
    return config


def complained(run: Finished, code: int, *parts: str) -> None:
    assert run.code == code, (run.code, run.err)
    for part in parts:
        assert part in run.err, (part, run.err)
    assert "Traceback" not in run.err
    assert "error: " in run.err


def test_an_unknown_provider_or_model_names_the_known_ones(daedal: Daedal, model):
    model([say("never")])
    complained(daedal("exec", "x", "--provider", "nobody"), 2, "nobody", "claude_code_subscription", "lm_studio_local")
    complained(daedal("exec", "x", "--model", "gpt_9"), 2, "gpt_9", "claude_sonnet_4", "gpt_4o")
    complained(
        daedal("exec", "x", "--provider", "openai_compatible", "--model", "claude_opus_4"), 2, "gpt_4o", "o3_mini"
    )


@requirement("RX-03")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("default_model = 3\n", ["config.toml:1", "default_model"]),
        ("[agent]\nmax_steps = 'many'\n", ["config.toml:2", "agent.max_steps"]),
        ("[agent]\nmax_stepz = 1\n", ["config.toml:2", "max_stepz", "max_steps"]),
        ("[serve]\nauth_mode = 'none'\n", ["config.toml:1", "serve"]),
        ("this is not toml\n", ["config.toml", "1"]),
        ("[[providers]]\nname = 'x'\nkind = 'telepathy'\n", ["config.toml", "kind"]),
    ],
)
def test_a_wrong_config_names_file_line_and_key(daedal: Daedal, model, text: str, parts: list[str]):
    model([say("never")])
    configure(daedal, text)
    complained(daedal("exec", "x"), 2, *parts)


@requirement("RX-03")
def test_an_unreadable_config_is_named(daedal: Daedal, model):
    model([say("never")])
    configure(daedal, "x").unlink()
    (daedal.home / ".daedal" / "config.toml").mkdir()
    complained(daedal("exec", "x"), 2, "config.toml")


def test_an_empty_prompt_and_one_of_ten_megabytes_are_refused(daedal: Daedal, model):
    server = model([say("never")])
    complained(daedal("exec", ""), 2, "prompt is empty")
    complained(daedal("exec", stdin="  \n "), 2, "prompt is empty")
    complained(daedal("exec", stdin="x" * 10_000_000), 2, "longer than 4 MiB", "file")
    assert server.requests == []


def test_an_unknown_session_lists_the_recent_ones(daedal: Daedal, model):
    model([say("Hi.")])
    complained(daedal("exec", "--resume", "nope", "x"), 2, "nope")
    daedal("exec", "x")
    complained(daedal("exec", "--resume", "nope", "x"), 2, "nope", daedal.session)
    complained(daedal("sessions", "show", "nope"), 2, daedal.session)
    complained(daedal("export", "nope"), 2, daedal.session)
    complained(daedal("exec", "--resume", daedal.session), 2, "no unfinished turn")


def test_a_folder_that_is_none_is_refused(daedal: Daedal, model):
    model([say("never")])
    complained(daedal("exec", "x", "-C", "nowhere"), 2, "nowhere", "--cd")


def test_continue_without_a_session_says_so(daedal: Daedal, model):
    model([say("never")])
    complained(daedal("exec", "x", "--continue"), 2, "--continue")


@pytest.mark.parametrize(
    "words",
    [
        ["exec", "x", "--max-turns", "0"],
        ["exec", "x", "--max-turns", "many"],
        ["exec", "x", "--max-budget-usd", "-1"],
        ["exec", "x", "--output-format", "xml"],
        ["exec", "x", "--approval", "perhaps"],
        ["exec", "x", "--continue", "--resume", "y"],
        ["exec", "x", "--system-prompt-file", "missing.md"],
        ["exec", "x", "--replay", "missing.jsonl"],
        ["exec", "x", "--unknown"],
        ["exce", "x"],
        ["--unknown"],
        ["sessions", "show"],
        ["config", "set", "agent.max_steps"],
        ["config", "get", "agent.nothing"],
        ["completion", "csh"],
    ],
)
def test_a_wrong_command_line_says_what_is_meant(daedal: Daedal, model, words: list[str]):
    model([say("never")])
    complained(daedal(*words), 2)


def test_a_model_that_calls_for_ever_is_stopped_at_the_limit_and_can_go_on(daedal: Daedal, model):
    server = model([call("Glob", pattern="*")], after="repeat")
    run = daedal("exec", "x", "--max-turns", "3")
    complained(run, 53, "3 model calls", f"--resume {daedal.session}")
    assert len(server.requests) == 3
    assert len(daedal.results()) == 3
    assert daedal.rows("SELECT status FROM turns") == [("failed",)]
    complained(daedal("exec", "--resume", daedal.session, "--max-turns", "2"), 53)
    assert len(server.requests) == 5


def test_the_setting_limits_steps_too(daedal: Daedal, model):
    configure(daedal, "[agent]\nmax_steps = 2\n")
    model([call("Glob", pattern="*")], after="repeat")
    complained(daedal("exec", "x"), 53, "2 model calls")


def test_a_budget_stops_the_run_and_one_that_cannot_be_kept_is_refused(daedal: Daedal, model):
    from tests.toolbox.model_server import Tokens

    costly = call("Glob", pattern="*").but(usage=Tokens(input=100_000, output=0))
    server = model([costly], after="repeat")
    complained(daedal("exec", "x", "--max-budget-usd", "0.50"), 53, "$0.5 ")
    assert len(server.requests) == 2
    local = daedal("exec", "x", "--provider", "lm_studio_local", "--max-budget-usd", "1", LM_STUDIO_MODEL="m")
    complained(local, 2, "price")


@pytest.mark.parametrize(
    ("reply", "code", "part"),
    [
        (empty(), 1, "answered nothing"),
        (refuse(), 1, "refused"),
        (cut_off("Half an ans"), 53, "output limit"),
        (drop(after=2), 75, ""),
        (fail(500), 75, "500"),
        (fail(429), 75, "429"),
        (fail(401), 2, "ANTHROPIC_API_KEY"),
        (fail(400), 1, "400"),
        (fail(404), 2, "404"),
        (page("<h1>Sign in</h1>"), 2, "text/html"),
    ],
)
def test_a_model_that_fails_leaves_the_prompt_on_record_and_the_right_exit_code(
    daedal: Daedal, model, reply, code: int, part: str
):
    configure(daedal, QUICK)
    model([reply], after="repeat")
    run = daedal("exec", "Keep this.")
    complained(run, code, part)
    assert daedal.entries("user")[0]["content"] == [{"type": "text", "text": "Keep this."}]
    assert daedal.rows("SELECT status FROM turns") == [("failed",)]
    assert daedal.rows("SELECT event_type FROM events") == [("StopFailure",)]


def test_a_failed_turn_goes_on_when_the_provider_is_back(daedal: Daedal, model):
    configure(daedal, QUICK)
    server = model([fail(503)] * 3 + [say("Back again.")])
    assert daedal("exec", "Try.").code == 75
    again = daedal("exec", "--resume", daedal.session)
    assert (again.code, again.out) == (0, "Back again.\n")
    assert len(server.requests) == 4
    assert daedal.rows("SELECT status FROM turns") == [("completed",)]


@requirement("SD-01")
def test_a_database_that_is_none_is_named(daedal: Daedal, model, tmp_path: Path):
    model([say("never")])
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"not a database, but long enough to be looked at\n" * 100)
    complained(daedal("exec", "x", AGENT_SDLC_DB=str(junk)), 1, str(junk))
    complained(daedal("sessions", AGENT_SDLC_DB=str(junk)), 1, str(junk))
    folder = tmp_path / "folder.db"
    folder.mkdir()
    complained(daedal("exec", "x", AGENT_SDLC_DB=str(folder)), 1, str(folder))


@requirement("SD-01")
def test_a_database_of_a_newer_version_is_refused_unharmed(daedal: Daedal, model):
    model([say("Hi.")])
    daedal("exec", "x")
    with sqlite3.connect(daedal.database) as ledger:
        ledger.execute("UPDATE schema_meta SET value = '999' WHERE key = 'schema_version'")
        ledger.execute("PRAGMA user_version = 999")
    ledger.close()
    complained(daedal("exec", "y"), 1, "999", "newer")
    assert daedal.rows("SELECT COUNT(*) FROM turns") == [(1,)]


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to mount a small file system")
@requirement("SD-02")
def test_a_full_disk_is_said_and_what_was_committed_stays(daedal: Daedal, model, tmp_path: Path):
    import subprocess

    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)], capture_output=True)
    assert mounted.returncode == 0, mounted.stderr
    try:
        database = str(small / "daedal.db")
        (daedal.workspace / "big.txt").write_text("x" * 200_000)
        model([call("Read", file_path="big.txt", limit=10)], after="repeat")
        run = daedal("exec", "Read it again and again.", "--max-turns", "50", AGENT_SDLC_DB=database)
        complained(run, 1, "disk")
        ledger = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        assert ledger.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (uses,) = ledger.execute("SELECT COUNT(*) FROM transcript_entries WHERE entry_type = 'user'").fetchone()
        ledger.close()
        assert uses == 1
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)
