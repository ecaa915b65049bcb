"""Which servers do files declare? What is right counts, what is wrong is named by file, line and key, and left out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.mcp import Entry, load_servers, slug_of, tool_name
from tests.toolbox.requirement import requirement

VARIABLES = {"KEY": "k-123", "EMPTY": "", "HOME": "/home/u"}


def load(*said: Any, is_project: bool = False, **project: str):
    entries = [
        Entry(said=one, origin=f"config.toml:{line}", is_project=is_project) for line, one in enumerate(said, start=1)
    ]
    return load_servers(entries, user=VARIABLES, project=project)


@requirement("RX-05", "RX-03")
def test_every_key_of_a_local_server_is_read():
    (server,), warnings = load(
        {
            "name": "Git Hub",
            "command": "~/bin/${TOOL:-mcp}",
            "args": ["--key", "${KEY}", "${EMPTY}", "$5", "${X:-}"],
            "env": {"TOKEN": "${KEY}", "PORT": 8080},
            "call_timeout_seconds": 600,
            "tool_timeout_seconds": {"clone": 1800, "look": 0},
            "trusted_read_only_tools": ["look"],
        }
    )
    assert warnings == []
    assert (server.slug, server.name, server.transport) == ("git_hub", "Git Hub", "stdio")
    assert server.command.endswith("/bin/mcp")
    assert "~" not in server.command
    assert server.args == ["--key", "k-123", "", "$5", ""]
    assert server.env == {"TOKEN": "k-123", "PORT": "8080"}
    assert [server.timeout_s(raw) for raw in ("clone", "look", "other")] == [1800, 600, 600]
    assert server.trusted_read_only == ["look"]
    assert server.secrets == [("KEY", "k-123"), ("TOKEN", "k-123")]
    assert load({"name": "x", "command": "${HOME}/x"})[0][0].secrets == []


@requirement("RX-05")
@pytest.mark.parametrize("kind", [{}, {"type": "http"}, {"type": "streamable-http"}, {"type": "sse"}])
def test_every_key_of_a_remote_server_is_read(kind: dict[str, str]):
    said = {
        "name": "stripe",
        "url": "https://mcp.example.com/v1",
        "headers": {"Authorization": "Bearer ${KEY}"},
        **kind,
    }
    (server,), warnings = load(said)
    assert warnings == []
    assert server.transport == ("sse" if kind.get("type") == "sse" else "http")
    assert server.headers == {"Authorization": "Bearer k-123"}
    assert server.timeout_s("anything") == 120


@requirement("RX-05", "RX-03")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("text", "not a table"),
        ({}, "no name"),
        ({"name": "…"}, "no name"),
        ({"name": 5, "command": "x"}, "name must be text"),
        ({"name": "x"}, "no command"),
        ({"name": "x", "type": "smoke", "command": "x"}, "type smoke is not known"),
        ({"name": "x", "type": ["http"], "url": "https://a"}, "is not known"),
        ({"name": "x", "command": ["x"]}, "command must be text"),
        ({"name": "x", "command": "x", "args": "y"}, "args must be a list of texts"),
        ({"name": "x", "command": "x", "env": {"A": ["b"]}}, "env.A must be text"),
        ({"name": "x", "command": "x", "env": []}, "env must be a table"),
        ({"name": "x", "command": "${NOWHERE}"}, "the variable NOWHERE is not set"),
        ({"name": "x", "url": "file:///etc/passwd"}, "url is not an address"),
        ({"name": "x", "url": "https://a b"}, "url is not an address"),
        ({"name": "x", "url": "https://[::1"}, "url is not an address"),
        ({"name": "x", "type": "http", "command": "x"}, "url is not an address"),
        ({"name": "x", "command": "x", "call_timeout_seconds": -1}, "call_timeout_seconds must be a number"),
        ({"name": "x", "command": "x", "call_timeout_seconds": True}, "call_timeout_seconds must be a number"),
        ({"name": "x", "command": "x", "tool_timeout_seconds": {"y": "long"}}, "tool_timeout_seconds.y must be"),
        ({"name": "x", "command": "x", "trusted_read_only_tools": "y"}, "trusted_read_only_tools must be a list"),
    ],
)
def test_what_is_wrong_is_named_and_the_others_count(said: Any, told: str):
    servers, warnings = load(said, {"name": "good", "command": "good"})
    assert [server.slug for server in servers] == ["good"]
    assert len(warnings) == 1
    assert warnings[0].startswith("config.toml:1: ")
    assert told in warnings[0]


def test_an_unknown_key_is_named_and_the_server_counts_without_it():
    (server,), (warning,) = load({"name": "x", "command": "y", "comand": "z"})
    assert server.command == "y"
    assert "comand is ignored · did you mean command?" in warning


@requirement("RX-05")
def test_names_count_once_the_stronger_file_wins_and_json_yields():
    def entry(file: str, command: str, **marks: bool) -> Entry:
        return Entry(said={"name": "One", "command": command}, origin=f"{file}:1", **marks)

    json = entry(".mcp.json", "json", is_project=True, is_weak=True)
    user, project = entry("config.toml", "user"), entry("daedal.toml", "project", is_project=True)
    for entries, winner in [([user, json], "user"), ([user, project, json], "project"), ([json], "json")]:
        (server,), warnings = load_servers(entries, user={}, project={})
        assert (server.command, warnings) == (winner, [])
    (server,), (warning,) = load({"name": "one", "command": "first"}, {"name": "ONE", "command": "second"})
    assert server.command == "first"
    assert "already declared at config.toml:1" in warning


@requirement("RX-04")
def test_a_project_s_entries_see_only_the_variables_that_are_for_it():
    said = {"name": "x", "command": "x", "env": {"A": "${KEY}"}, "trusted_read_only_tools": ["wipe"]}
    servers, (warning,) = load(said, is_project=True)
    assert servers == []
    assert "KEY is not set, or a project may not see it" in warning
    (server,), (note,) = load(said, is_project=True, KEY="its own")
    assert server.env == {"A": "its own"}
    assert server.trusted_read_only == []
    assert "a project may not vouch for itself" in note


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(), below, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["name", "type", "command", "args", "env", "url", "headers", "call_timeout_seconds", "tool_timeout_seconds"]
)


@given(st.lists(JSON | st.dictionaries(KEYS | st.text(), JSON | st.just("x")), max_size=4))
def test_whatever_a_file_says_each_entry_becomes_a_server_or_a_warning(said: list[Any]):
    servers, warnings = load(*said)
    assert len({server.slug for server in servers}) == len(servers)
    assert len(servers) + len(warnings) >= len(said)


@given(st.text(), st.text(min_size=1))
def test_names_are_always_such_as_every_endpoint_takes(server: str, tool: str):
    slug = slug_of(server)
    assert slug == slug_of(slug)
    assert "__" not in slug
    name = tool_name(slug or "x", tool)
    assert len(name) <= 64
    assert name.isascii()
    assert name.replace("_", "").replace("-", "").isalnum()
