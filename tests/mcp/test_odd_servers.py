"""Does a server that misbehaves ever take a turn with it? It ends as an outcome that the model can read."""

import asyncio
import json
import resource
from pathlib import Path

import pytest

from daedal.mcp import ServerState
from daedal.protocol.confinement import Confinement, Network
from daedal.sandbox import ProcessSpawner
from tests.mcp.using import odd, room, until, within
from tests.toolbox.requirement import requirement

INTERNAL = "[SDLC_INTERNAL] "
TRUNCATED = "[SDLC_TRUNCATED]"


@requirement("SD-16", "RX-05")
def test_a_server_that_dies_in_the_middle_of_a_call_is_an_internal_failure_and_is_not_asked_again(tmp_path: Path):
    notes = tmp_path / "notes"

    async def scenario():
        async with room(tmp_path, odd("dies", notes)) as mcp:
            return await mcp.call("mcp__odd__act")

    outcome = within(scenario)
    assert outcome.is_error
    assert outcome.content.startswith(INTERNAL)
    assert "exit code 3: last words" in outcome.content
    assert "look before you call it again" in outcome.content
    assert notes.read_text().split().count("called") == 1


@requirement("RX-05")
def test_a_server_that_died_is_started_again_for_the_next_call(tmp_path: Path):
    notes = tmp_path / "notes"

    async def scenario():
        async with room(tmp_path, odd("dies once", notes)) as mcp:
            return await mcp.call("mcp__odd__act"), await mcp.call("mcp__odd__act")

    died, lives = within(scenario)
    assert (died.is_error, lives.is_error, lives.content) == (True, False, "acted")
    assert notes.read_text().split().count("started") == 2


@requirement("SD-16", "RX-05")
@pytest.mark.parametrize("entry", [{"call_timeout_seconds": 0.3}, {"tool_timeout_seconds": {"act": 0.3}}])
def test_a_call_that_takes_too_long_is_given_up_by_the_server_s_or_the_tool_s_own_limit(tmp_path: Path, entry):
    async def scenario():
        async with room(tmp_path, odd("silent", **entry)) as mcp:
            return await mcp.call("mcp__odd__act"), mcp.servers.status()[0].state

    outcome, state = within(scenario)
    assert outcome.is_error
    assert outcome.content.startswith(f"{INTERNAL}the MCP server odd did not answer within 0.3 s")
    assert state is ServerState.READY


@requirement("RX-05")
def test_an_answer_after_the_timeout_is_not_taken_for_the_next_one(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("late", call_timeout_seconds=0.3)) as mcp:
            return await mcp.call("mcp__odd__act"), await mcp.call("mcp__odd__act")

    first, second = within(scenario)
    assert first.content.startswith(INTERNAL)
    assert (second.content, second.is_error) == ("acted", False)


@requirement("SD-16")
@pytest.mark.parametrize("oddity", ["huge", "huge, id last"])
def test_fifty_megabytes_are_cut_off_while_they_are_read(tmp_path: Path, oddity: str):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    async def scenario():
        async with room(tmp_path, odd(oddity)) as mcp:
            return await mcp.call("mcp__odd__act")

    outcome = within(scenario)
    assert not outcome.is_error
    assert 1_000_000 < len(outcome.content.encode()) <= 1_048_576
    assert TRUNCATED in outcome.content[-200:]
    # The SDK itself is counted too, where nobody loaded it before.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000


def test_what_is_no_message_is_passed_over(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("nonsense")) as mcp:
            return await mcp.call("mcp__odd__act")

    assert within(scenario).content == "still here"


def test_an_answer_that_is_none_is_an_internal_failure_and_the_server_stays(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("no answer")) as mcp:
            return await mcp.call("mcp__odd__act"), mcp.servers.status()[0].state

    outcome, state = within(scenario)
    assert outcome.content.startswith(INTERNAL)
    assert state is ServerState.READY


@requirement("SD-16")
def test_an_error_that_the_server_answers_with_is_what_the_model_reads(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("error")) as mcp:
            return await mcp.call("mcp__odd__act")

    outcome = within(scenario)
    assert (outcome.content, outcome.is_error) == ("out of paper", True)


def test_a_flood_of_messages_ends_in_an_outcome(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("floods")) as mcp:
            return await mcp.call("mcp__odd__act")

    outcome = within(scenario)
    assert outcome.content == "dry" or "sent more messages than anybody could read" in outcome.content


def test_a_server_that_cannot_start_says_why_and_nothing_waits_for_it(tmp_path: Path):
    async def scenario():
        missing = {"name": "missing", "command": "no-such-program-anywhere"}
        async with room(tmp_path, odd("exits"), missing) as mcp:
            return mcp.servers.status(), mcp.warnings, mcp.servers.tools()

    status, warnings, tools = within(scenario)
    assert [one.state for one in status] == [ServerState.FAILED] * 2
    assert "exit code 7: no configuration found" in status[0].trouble
    assert "not found" in status[1].trouble
    assert len(warnings) == 2
    assert "daedal mcp test odd" in "".join(warnings)
    assert tools == []


def test_a_server_that_never_gets_ready_is_given_up(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("never starts"), start_s=0.3) as mcp:
            return mcp.servers.status()[0]

    status = within(scenario)
    assert (status.state, status.trouble) == (ServerState.FAILED, "it was not ready within 0.3 s")


def test_a_cancelled_call_leaves_the_server_for_the_next_one(tmp_path: Path):
    notes = tmp_path / "notes"

    async def scenario():
        async with room(tmp_path, odd("late", notes)) as mcp:
            calling = asyncio.create_task(mcp.call("mcp__odd__act"))
            await until(lambda: "called" in notes.read_text())
            calling.cancel()
            await asyncio.wait([calling])
            return calling.cancelled(), await mcp.call("mcp__odd__act")

    was_cancelled, outcome = within(scenario)
    assert was_cancelled
    assert outcome.content == "acted"


@requirement("RX-04")
def test_a_server_gets_its_own_variables_and_no_provider_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("COLOUR", "green")

    async def scenario():
        async with room(tmp_path, odd("environment", env={"SHADE": "dark ${COLOUR}"})) as mcp:
            return await mcp.call("mcp__odd__act")

    seen = json.loads(within(scenario).content)
    assert seen["SHADE"] == "dark green"
    assert "ANTHROPIC_API_KEY" not in seen


def test_leaving_ends_every_process(tmp_path: Path):
    notes = tmp_path / "notes"

    async def scenario():
        async with room(tmp_path, odd("never starts", notes), odd("fine", notes, name="other"), wait=False):
            await until(lambda: notes.exists() and notes.read_text().count("started") == 2)

    within(scenario)
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(str(notes).encode() in command for command in commands)


@requirement("RX-05")
def test_a_server_of_the_newest_kind_that_knows_no_handshake_works(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("newest")) as mcp:
            return await mcp.call("mcp__odd__act"), mcp.warnings

    outcome, warnings = within(scenario)
    assert (outcome.content, warnings) == ("acted", [])


@requirement("RX-04")
def test_within_walls_a_server_works_and_cannot_read_saved_keys(tmp_path: Path):
    saved = tmp_path / "saved"
    saved.write_text("KEY=1")
    walls = Confinement(workspace=str(tmp_path), writable=["/"], unreadable=[str(saved)], network=Network.ON)
    spawner = ProcessSpawner([])
    stands = spawner.within(walls).stands()
    asyncio.run(spawner.close())
    if stands is None:
        pytest.skip("nothing confines processes on this machine")

    async def scenario(walls: Confinement | None):
        async with room(tmp_path, odd("reads", saved), walls=walls) as mcp:
            return (await mcp.call("mcp__odd__act")).content

    assert within(lambda: scenario(None)) == "KEY=1"
    assert "KEY=1" not in within(lambda: scenario(walls))
