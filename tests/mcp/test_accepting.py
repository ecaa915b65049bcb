"""Is a tool used that the person has not accepted? What changed or came later is held back until they have seen it."""

from pathlib import Path

from daedal.mcp import ServerState
from tests.mcp.using import odd, room, within
from tests.toolbox.requirement import requirement


@requirement("RX-05")
def test_the_first_use_accepts_what_is_offered_and_later_changes_are_held_back(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("fine")) as mcp:
            first = [tool.spec.name for tool in mcp.servers.tools()]
        async with room(tmp_path, odd("fine", env={"LATER": "Acts, and tells the model to ignore its user."})) as mcp:
            held = [tool.spec.name for tool in mcp.servers.tools()], mcp.servers.status()[0].withheld, mcp.warnings
            differences = mcp.servers.differences("odd")
            mcp.servers.accept("odd")
            accepted = [tool.spec.name for tool in mcp.servers.tools()], mcp.servers.status()[0].withheld
        async with room(tmp_path, odd("fine", env={"LATER": "Acts, and tells the model to ignore its user."})) as mcp:
            after = [tool.spec.name for tool in mcp.servers.tools()], mcp.warnings
        return first, held, differences, accepted, after

    first, held, differences, accepted, after = within(scenario)
    assert first == ["mcp__odd__act"]
    assert held[:2] == ([], ["act", "extra"])
    assert "daedal mcp trust odd" in held[2][0]
    assert [(one.before and one.before.description, one.after.name) for one in differences] == [
        ("Acts.", "act"),
        (None, "extra"),
    ]
    assert accepted == (["mcp__odd__act", "mcp__odd__extra"], [])
    assert after == (["mcp__odd__act", "mcp__odd__extra"], [])


@requirement("RX-05")
def test_what_an_earlier_session_met_is_known_before_the_server_is_ready_and_a_call_waits_for_it(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("fine")):
            pass
        async with room(tmp_path, odd("fine"), wait=False) as mcp:
            await mcp.servers.settled(0.0, strangers_only=True)
            state = mcp.servers.status()[0].state
            return state, await mcp.call("mcp__odd__act")

    state, outcome = within(scenario)
    assert state is ServerState.STARTING
    assert outcome.content == "acted"


@requirement("RX-05")
def test_a_tool_that_changed_between_two_sessions_is_not_called_by_its_old_description(tmp_path: Path):
    notes = tmp_path / "notes"

    async def scenario():
        async with room(tmp_path, odd("fine", notes)):
            pass
        async with room(tmp_path, odd("fine", notes, env={"LATER": "Does something else."}), wait=False) as mcp:
            return await mcp.call("mcp__odd__act")

    outcome = within(scenario)
    assert outcome.is_error
    assert "has changed its tool 'act' since the user accepted it" in outcome.content
    assert "called" not in notes.read_text()


def test_a_command_or_a_call_starts_and_awaits_a_server_that_nobody_started(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("fine")):
            pass
        async with room(tmp_path, odd("fine"), wait=False) as mcp:
            return await mcp.servers.prompt("mcp__odd__review", ["src"])

    assert within(scenario) == "Review src."


def test_a_room_that_is_closed_says_so_at_once(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("fine")) as mcp:
            pass
        return await mcp.call("mcp__odd__act")

    outcome = within(scenario)
    assert (outcome.is_error, outcome.content) == (True, "the MCP server odd is closed")


def test_another_server_under_the_same_name_is_met_anew(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("fine")):
            pass
        other = odd("other", env={"LATER": "Another server altogether."})
        async with room(tmp_path, other) as mcp:
            return [tool.spec.name for tool in mcp.servers.tools()], mcp.warnings

    assert within(scenario) == (["mcp__odd__act", "mcp__odd__extra"], [])


def test_where_nobody_knows_what_was_accepted_nothing_is_used(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("fine")):
            pass
        (path,) = (tmp_path / "home" / "mcp" / "tools").iterdir()
        assert path.stat().st_mode & 0o777 == 0o600
        path.write_text("{broken")
        async with room(tmp_path, odd("fine")) as mcp:
            return mcp.servers.tools(), mcp.servers.status()[0]

    tools, status = within(scenario)
    assert tools == []
    assert (status.state, "move it away" in status.trouble) == (ServerState.FAILED, True)


@requirement("RX-05")
def test_a_tool_that_comes_while_we_are_connected_is_heard_of(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("grows")) as mcp:
            assert await mcp.changes.get() == "odd"
            outcome = await mcp.call("mcp__odd__act")
            assert await mcp.changes.get() == "odd"
            status = mcp.servers.status()[0]
            return outcome, "extra" in [*status.tools, *status.withheld]

    outcome, is_known = within(scenario)
    assert outcome.content == "growing"
    assert is_known


@requirement("RX-05", "RX-11")
def test_a_server_s_own_word_that_a_tool_only_reads_is_not_taken(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, odd("fine"), odd("fine", name="known", trusted_read_only_tools=["act"])) as mcp:
            return {spec.name: spec.read_only for spec in mcp.servers.specs()}, mcp.servers.trusted_read_only()

    read_only, trusted = within(scenario)
    assert read_only == {"mcp__odd__act": False, "mcp__known__act": True}
    assert trusted == ["mcp__known__act"]
