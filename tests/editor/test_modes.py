"""What does a mode of the editor change? Who is asked, and what may happen without asking."""

import asyncio

import pytest
from acp import RequestError
from acp.schema import CurrentModeUpdate

from tests.editor.editors import Editor, connected
from tests.toolbox.model_server import call, say
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


def test_a_conversation_that_plans_is_not_let_out_by_a_switch(daedal: Daedal, model):
    model([say("I am planning.")])

    async def scenario() -> None:
        async with connected(daedal, "--permission-mode", "plan") as editing:
            session = await editing.new()
            await editing.prompt(session, "Plan it.")
            with pytest.raises(RequestError, match="still planning"):
                await editing.agent.set_session_mode(session_id=session, mode_id="default")

    asyncio.run(scenario())
