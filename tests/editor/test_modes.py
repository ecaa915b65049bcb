"""What does a mode of the editor change? Who is asked, and what may happen without asking."""

import asyncio

import pytest
from acp import RequestError
from acp.schema import CurrentModeUpdate

from tests.editor.editors import Editor, connected
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@requirement("DX-12")
def test_a_mode_is_chosen_before_the_first_prompt_and_between_turns(daedal: Daedal, model):
    path = daedal.workspace / "made.txt"
    write = call("Write", file_path=str(path), content="new\n")
    model([write, say("I may not."), write, say("Written.")])

    async def scenario() -> None:
        async with connected(daedal, editor=Editor(lambda tool, options: "decline")) as editing:
            opened = await editing.agent.new_session(cwd=str(daedal.workspace), mcp_servers=[])
            session = opened.session_id
            assert opened.modes.current_mode_id == "default"
            assert {mode.id for mode in opened.modes.available_modes} >= {"default", "plan", "acceptEdits"}
            await editing.agent.set_session_mode(session_id=session, mode_id="dontAsk")
            await editing.prompt(session, "Write it.")
            assert not path.exists()
            await editing.agent.set_session_mode(session_id=session, mode_id="acceptEdits")
            await editing.prompt(session, "Now write it.")
            assert path.read_text() == "new\n"
            assert editing.editor.asked == []
            with pytest.raises(RequestError, match="no mode"):
                await editing.agent.set_session_mode(session_id=session, mode_id="chaos")

    asyncio.run(scenario())


def test_an_approved_plan_leads_out_of_plan_mode(daedal: Daedal, model):
    model([call("ExitPlanMode", plan="# Do it"), say("I go on.")])
    editor = Editor(lambda tool, options: options[0].option_id)

    async def scenario() -> None:
        async with connected(daedal, "--permission-mode", "plan", editor=editor) as editing:
            await editing.prompt(await editing.new(), "Plan it.")
            tool, options = editor.asked[0]
            assert options[0].name == "Approve the plan"
            assert "# Do it" in tool.content[0].content.text
            assert [update.current_mode_id for update in editor.of(CurrentModeUpdate)] == ["default"]

    asyncio.run(scenario())


@requirement("DX-12")
def test_plan_mode_can_be_left_and_entered_while_a_turn_runs_and_the_editor_hears_of_it(daedal: Daedal, model):
    path = daedal.workspace / "made.txt"
    server = model([stall(), call("Write", file_path=str(path), content="new\n"), say("Done.")])

    async def scenario() -> None:
        async with connected(daedal, "--permission-mode", "plan") as editing:
            session = await editing.new()
            first = asyncio.create_task(editing.prompt(session, "Plan it."))
            await asyncio.to_thread(server.wait_for_stall)
            await editing.agent.set_session_mode(session_id=session, mode_id="acceptEdits")
            await editing.agent.cancel(session_id=session)
            assert await first == "cancelled"
            assert await editing.prompt(session, "Write it.") == "end_turn"
            assert path.read_text() == "new\n"
            assert modes_of(editing.editor) == ["acceptEdits"]

    asyncio.run(scenario())


def test_a_tool_that_begins_to_plan_switches_the_mode_in_the_editor_at_once(daedal: Daedal, model):
    model([call("EnterPlanMode"), say("I plan."), say("Still.")])
    editor = Editor(lambda tool, options: options[0].option_id)

    async def scenario() -> None:
        async with connected(daedal, editor=editor) as editing:
            session = await editing.new()
            await editing.prompt(session, "Think first.")
            assert modes_of(editor) == ["plan"]
            await editing.agent.close_session(session_id=session)
            again = await editing.agent.load_session(cwd=str(daedal.workspace), session_id=session, mcp_servers=[])
            assert again.modes.current_mode_id == "plan"

    asyncio.run(scenario())


def test_a_mode_that_the_settings_forbid_is_refused_and_nothing_changes(daedal: Daedal, model):
    model([say("Hello.")])
    configure(daedal, '[permissions]\ndisableBypassPermissionsMode = "disable"\n')

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            with pytest.raises(RequestError, match="switched off"):
                await editing.agent.set_session_mode(session_id=session, mode_id="bypassPermissions")
            assert modes_of(editing.editor) == []

    asyncio.run(scenario())


def modes_of(editor: Editor) -> list[str]:
    return [update.current_mode_id for update in editor.of(CurrentModeUpdate)]
