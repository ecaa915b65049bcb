"""Which commands does every session have? Those that are more than a prompt; a custom one of the same name is first."""

import asyncio

import pytest
from acp import RequestError
from acp.schema import AvailableCommandsUpdate

from tests.editor.editors import connected
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.small_model import SUMMING_UP


@requirement("DX-12")
def test_commands_of_ours_are_offered_and_each_does_its_work(daedal: Daedal, model):
    server = model(lambda request: say("A digest." if SUMMING_UP in request.body else "Said."))

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            await editing.editor.until(lambda: bool(editing.editor.of(AvailableCommandsUpdate, session)))
            (update,) = editing.editor.of(AvailableCommandsUpdate, session)
            assert {command.name for command in update.available_commands} >= {"compact", "init", "review"}
            with pytest.raises(RequestError, match="nothing"):
                await editing.prompt(session, "/compact")
            assert await editing.prompt(session, "/review") == "end_turn"
            assert await editing.prompt(session, "/review the last commit") == "end_turn"
            assert await editing.prompt(session, "/init") == "end_turn"
            assert await editing.prompt(session, "/compact the colours") == "end_turn"

    asyncio.run(scenario())
    asked = [request.body.decode() for request in server.requests]
    assert "not committed yet" in asked[0]
    assert "the last commit" in asked[1]
    assert "AGENTS.md" in asked[2]
    assert "above all: the colours" in next(body for body in asked if SUMMING_UP.decode() in body)
    assert daedal.rows("SELECT count(*) FROM turns WHERE status = 'completed'") == [(4,)]


def test_custom_commands_are_offered_work_in_prompts_and_count_before_those_of_ours(daedal: Daedal, model):
    commands = daedal.home / ".daedal" / "commands"
    commands.mkdir(parents=True)
    (commands / "greet.md").write_text("---\ndescription: Greets\nargument-hint: NAME\n---\nGreet $ARGUMENTS warmly.\n")
    (commands / "review.md").write_text("---\ndescription: Mine\n---\nMy own review of $ARGUMENTS.\n")
    server = model([say("Hello, Ada."), say("Reviewed.")])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            await editing.editor.until(lambda: bool(editing.editor.of(AvailableCommandsUpdate, session)))
            (update,) = editing.editor.of(AvailableCommandsUpdate, session)
            (greet,) = [each for each in update.available_commands if each.name == "greet"]
            assert (greet.description, greet.input.root.hint) == ("Greets", "NAME")
            offered = [command for command in update.available_commands if command.name == "review"]
            assert [command.description for command in offered] == ["Mine"]
            await editing.prompt(session, "/greet Ada")
            await editing.prompt(session, "/review src")
            with pytest.raises(RequestError, match="nothing"):
                await editing.prompt(session, "/nothing of the kind")

    asyncio.run(scenario())
    assert "Greet Ada warmly." in str(server.requests[0].json["messages"])
    assert "My own review of src." in str(server.requests[1].json["messages"])


def test_a_command_that_began_a_turn_can_be_cancelled(daedal: Daedal, model):
    server = model([call("Read", file_path="x"), say("Hello."), stall()])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            await editing.prompt(session, "Hi!")
            prompt = asyncio.create_task(editing.prompt(session, "/compact"))
            await asyncio.to_thread(server.wait_for_stall)
            await editing.agent.cancel(session_id=session)
            assert await prompt == "cancelled"

    asyncio.run(scenario())
