"""What does `daedal mcp` do? All that a person needs to add a server, see that it works, and judge its changes."""

import json
import sys
from pathlib import Path

import pytest

from tests.journeys.test_bad_input import configure
from tests.mcp.using import HERE, entry
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

ODD = [sys.executable, str(HERE / "odd_server.py"), "fine"]


def there(daedal: Daedal, command: list[str], **more: object) -> None:
    """As if it had been added."""
    configure(daedal, entry("odd", command, **more))


@requirement("RX-05")
def test_a_server_is_added_shown_tried_and_removed(daedal: Daedal):
    added = daedal("mcp", "add", "My Odd", "-e", "SHADE=${COLOUR:-red}", "--timeout", "9", "--", *ODD)
    assert added.code == 0, added.err
    assert "daedal mcp test my_odd" in added.out
    (listed,) = daedal("mcp", "list", "--json").json
    assert (listed["slug"], listed["transport"], listed["accepted_tools"], listed["env"]) == (
        "my_odd",
        "stdio",
        None,
        ["SHADE"],
    )
    assert "my_odd" in daedal("mcp", "list").out
    tried = daedal("mcp", "test", "my_odd")
    assert tried.code == 0, tried.err
    assert "mcp__my_odd__act" in tried.out
    shown = daedal("mcp", "get", "My Odd", "--json").json
    assert (shown["accepted_tools"], shown["call_timeout_seconds"], shown["scope"]) == (["act"], 9.0, "user")
    assert daedal("mcp", "remove", "My Odd").code == 0
    assert daedal("mcp", "remove", "My Odd").code == 1
    assert daedal("mcp", "list", "--json").json == []


@requirement("RX-05")
def test_a_changed_tool_is_shown_with_its_difference_and_used_once_it_is_accepted(daedal: Daedal):
    there(daedal, ODD, env={"LATER": "${LATER:-}"})
    assert "0 tools are held back" not in daedal("mcp", "test", "odd").out
    tried = daedal("mcp", "test", "odd", LATER="Acts \x1b[31mbadly.")
    assert "changed: mcp__odd__act" in tried.out
    assert "-Acts." in tried.out
    assert "+Acts �[31mbadly." in tried.out
    assert "2 tools are held back" in tried.out
    asked = daedal("mcp", "trust", "odd", LATER="Acts \x1b[31mbadly.")
    assert (asked.code, "Nothing was changed" in asked.out) == (1, True)
    assert daedal("mcp", "trust", "odd", "--yes", LATER="Acts \x1b[31mbadly.").code == 0
    assert "Nothing was changed" in daedal("mcp", "trust", "odd", "--yes", LATER="Acts \x1b[31mbadly.").out


@requirement("RX-05", "SD-27")
def test_a_server_for_the_project_goes_into_its_json_and_waits_for_trust(daedal: Daedal):
    added = daedal("mcp", "add", "odd", "--scope", "project", "--", *ODD)
    assert "daedal trust" in added.out
    assert json.loads((daedal.workspace / ".mcp.json").read_text()) == {
        "mcpServers": {"odd": {"command": ODD[0], "args": ODD[1:]}}
    }
    listed = daedal("mcp", "list", "--json")
    assert listed.json == []
    assert "is not trusted" in listed.err
    assert daedal("trust", "--yes").code == 0
    (row,) = daedal("mcp", "list", "--json").json
    assert (row["slug"], row["scope"]) == ("odd", "project")
    assert daedal("mcp", "remove", "odd", "--scope", "project").code == 0


def test_a_remote_server_is_added_with_its_headers_and_no_value_is_ever_shown(daedal: Daedal):
    words = ["https://mcp.example.com/v1", "--header", "Authorization: Bearer ${STRIPE_KEY}", "-H", "X-Team: blue"]
    assert daedal("mcp", "add", "stripe", *words).code == 0
    (row,) = daedal("mcp", "list", "--json", STRIPE_KEY="sk-live-1234567").json
    assert (row["transport"], row["target"], row["headers"]) == ("http", words[0], ["Authorization", "X-Team"])
    assert "sk-live" not in daedal("mcp", "get", "stripe", STRIPE_KEY="sk-live-1234567").out
    missing = daedal("mcp", "list")
    assert "the variable STRIPE_KEY is not set" in missing.err
    assert missing.code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["add", "x"], "what to start or to reach is missing"),
        (["add", "…", "--", "y"], "is no name for a server"),
        (["add", "x", "-t", "http", "--", "y"], "that is nothing for http"),
        (["add", "x", "-t", "stdio", "https://y"], "that is nothing for stdio"),
        (["add", "x", "https://y", "z"], "that is nothing for http"),
        (["add", "x", "-e", "NOVALUE", "--", "y"], "--env NOVALUE has no value"),
        (["add", "x", "--scope", "project", "--timeout", "5", "--", "y"], "are for your own config"),
        (["get", "x"], "no MCP server called 'x'"),
        (["test", "x"], "no MCP server called 'x'"),
        (["fly"], "invalid choice"),
        ([], "required"),
    ],
)
def test_mistakes_are_told_and_nothing_is_changed(daedal: Daedal, words: list[str], told: str):
    run = daedal("mcp", *words)
    assert run.code == 2
    assert told in run.err
    assert "Traceback" not in run.err
    assert not (daedal.home / ".daedal" / "config.toml").exists()
    assert not (daedal.workspace / ".mcp.json").exists()


def test_a_server_that_does_not_start_is_told_with_its_last_words(daedal: Daedal):
    there(daedal, [*ODD[:2], "exits"])
    run = daedal("mcp", "test", "odd")
    assert run.code == 1
    assert "no configuration found" in run.err


def test_a_login_is_for_remote_servers(daedal: Daedal):
    there(daedal, ODD)
    run = daedal("mcp", "login", "odd")
    assert (run.code, "knows no login" in run.err) == (1, True)


def test_a_broken_entry_in_the_user_s_settings_is_named_and_the_others_work(daedal: Daedal):
    config = daedal.home / ".daedal" / "config.toml"
    config.parent.mkdir()
    config.write_text('[[plugins]]\nname = "bad"\ntype = "smoke"\n\n[[plugins]]\nname = "odd"\ncommand = "true"\n')
    run = daedal("mcp", "list", "--json")
    assert [row["slug"] for row in run.json] == ["odd"]
    assert f"{config}:1: the MCP server bad is left out: type smoke is not known" in run.err


def test_help_starts_with_an_example(daedal: Daedal):
    assert Path(daedal("mcp", "--help").out.split()[0]).name == "daedal"
