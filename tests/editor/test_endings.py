"""How does a prompt end for an editor? By itself, cancelled, at a limit, or with an error that says why."""

import asyncio

import pytest
from acp import RequestError

from tests.editor.editors import connected
from tests.toolbox.model_server import call, cut_off, fail, refuse, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@requirement("DX-12")
def test_a_cancelled_prompt_stops_in_the_middle_and_says_so(daedal: Daedal, model):
    server = model([stall(), say("Again.")])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            prompt = asyncio.create_task(editing.prompt(session, "Go."))
            await asyncio.to_thread(server.wait_for_stall)
            with pytest.raises(RequestError, match="still at work") as busy:
                await editing.prompt(session, "And this?")
            assert busy.value.code == -32600
            await editing.agent.cancel(session_id=session)
            assert await prompt == "cancelled"
            assert await editing.prompt(session, "Once more.") == "end_turn"

    asyncio.run(scenario())
    assert daedal.rows("SELECT status FROM turns ORDER BY rowid") == [("interrupted",), ("completed",)]


def test_an_end_that_the_protocol_has_a_word_for_is_told_by_it(daedal: Daedal, model):
    model([cut_off("Too much to say"), refuse(), call("Read", file_path="x")])

    async def scenario() -> list[str]:
        async with connected(daedal, "--max-turns", "1") as editing:
            return [await editing.prompt(await editing.new(), "Go.") for _ in range(3)]

    assert asyncio.run(scenario()) == ["max_tokens", "refusal", "max_turn_requests"]


def test_a_failure_is_an_error_with_a_sentence_in_it(daedal: Daedal, model):
    model([fail(401), fail(400)])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            for code, kind, words in (
                (-32000, "authentication_failed", "the server answered 401.*check ANTHROPIC_API_KEY"),
                (-32603, "invalid_request", "the server answered 400"),
            ):
                with pytest.raises(RequestError, match=words) as failure:
                    await editing.prompt(await editing.new(), "Go.")
                assert (failure.value.code, failure.value.data["kind"]) == (code, kind)

    asyncio.run(scenario())


def test_without_a_key_the_editor_is_told_to_log_in(daedal: Daedal):
    async def scenario() -> None:
        async with connected(daedal) as editing:
            with pytest.raises(RequestError) as refused:
                await editing.new()
            assert refused.value.code == -32000
            await editing.agent.authenticate(method_id="setup")

    asyncio.run(scenario())


def test_a_session_that_is_closed_in_the_middle_ends_its_prompt(daedal: Daedal, model):
    server = model([stall()])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            prompt = asyncio.create_task(editing.prompt(session, "Go."))
            await asyncio.to_thread(server.wait_for_stall)
            await editing.agent.close_session(session_id=session)
            assert await prompt == "cancelled"
            with pytest.raises(RequestError, match="no session"):
                await editing.prompt(session, "Still there?")
            await editing.agent.resume_session(cwd=str(daedal.workspace), session_id=session, mcp_servers=[])
            assert editing.editor.user_said() == []

    asyncio.run(scenario())


def test_a_call_that_was_under_way_is_shown_as_failed_when_the_prompt_is_cancelled(daedal: Daedal, model):
    model([call("Bash", command="echo begun > begun; sleep 60"), stall()])

    async def scenario() -> None:
        async with connected(daedal, "--allow", "Bash") as editing:
            session = await editing.new()
            prompt = asyncio.create_task(editing.prompt(session, "Go."))
            await editing.editor.until(lambda: bool(editing.editor.calls()))
            await editing.agent.cancel(session_id=session)
            assert await prompt == "cancelled"
            (begun,) = editing.editor.calls()
            assert editing.editor.progress(begun.tool_call_id)[-1].status == "failed"

    asyncio.run(scenario())
