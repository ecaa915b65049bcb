"""What can a person choose for a session in the editor? Mode, model and effort, at any time, each told by its name."""

import asyncio

import pytest
from acp import RequestError
from acp.schema import ConfigOptionUpdate, CurrentModeUpdate

from tests.editor.editors import connected
from tests.journeys.test_effort import provided
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def current(options) -> dict[str, str]:
    return {option.id: option.current_value for option in options}


@requirement("DX-12")
def test_model_and_effort_are_chosen_in_the_editor_and_hold_from_the_next_call_on(daedal: Daedal, model):
    server = model([say("One."), say("Two.")])
    provided(daedal, server)

    async def scenario() -> None:
        async with connected(daedal, "--model", "local") as editing:
            opened = await editing.agent.new_session(cwd=str(daedal.workspace), mcp_servers=[])
            session, options = opened.session_id, opened.config_options
            assert [(option.id, option.category) for option in options[:2]] == [("mode", "mode"), ("model", "model")]
            await editing.prompt(session, "Hi!")
            there = await editing.agent.set_config_option(session_id=session, config_id="model", value="modern/gpt-5.2")
            assert current(there.config_options)["model"] == "modern/gpt-5.2"
            there = await editing.agent.set_config_option(session_id=session, config_id="effort", value="high")
            assert current(there.config_options)["effort"] == "high"
            await editing.prompt(session, "Think.")
            told = editing.editor.of(ConfigOptionUpdate)
            assert current(told[-1].config_options) == current(there.config_options)

    asyncio.run(scenario())
    assert server.requests[1].json["model"] != server.requests[0].json["model"]
    assert server.requests[1].json["reasoning"]["effort"] == "high"


def test_the_mode_is_an_option_too_and_both_ways_of_choosing_it_agree(daedal: Daedal, model):
    model([])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            there = await editing.agent.set_config_option(session_id=session, config_id="mode", value="acceptEdits")
            assert current(there.config_options)["mode"] == "acceptEdits"
            await editing.agent.set_session_mode(session_id=session, mode_id="dontAsk")
            await editing.editor.until(lambda: len(editing.editor.of(ConfigOptionUpdate)) == 2)
            assert current(editing.editor.of(ConfigOptionUpdate)[-1].config_options)["mode"] == "dontAsk"
            modes = [update.current_mode_id for update in editing.editor.of(CurrentModeUpdate)]
            assert modes == ["acceptEdits", "dontAsk"]

    asyncio.run(scenario())


def test_a_choice_that_was_not_offered_is_refused_in_words(daedal: Daedal, model):
    model([])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            for option, value, words in (
                ("colour", "red", "no option colour"),
                ("model", "no/such", "cannot be no/such"),
                ("mode", "chaos", "cannot be chaos"),
                ("mode", True, "cannot be True"),
            ):
                with pytest.raises(RequestError, match=words) as refused:
                    await editing.agent.set_config_option(session_id=session, config_id=option, value=value)
                assert refused.value.code == -32602

    asyncio.run(scenario())
