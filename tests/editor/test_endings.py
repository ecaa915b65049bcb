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


@pytest.mark.parametrize(
    ("words", "replies", "reason"),
    [
        ((), [cut_off("Too much to say")], "max_tokens"),
        ((), [refuse()], "refusal"),
        (("--max-turns", "1"), [call("Read", file_path="x")], "max_turn_requests"),
    ],
)
def test_an_end_that_the_protocol_has_a_word_for_is_told_by_it(daedal: Daedal, model, words, replies, reason):
    model(replies)

    async def scenario() -> None:
        async with connected(daedal, *words) as editing:
            assert await editing.prompt(await editing.new(), "Go.") == reason

    asyncio.run(scenario())


@pytest.mark.parametrize(("status", "code"), [(401, -32000), (400, -32603)])
def test_a_failure_is_an_error_with_a_sentence_in_it(daedal: Daedal, model, status, code):
    model([fail(status)])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            with pytest.raises(RequestError) as failure:
                await editing.prompt(await editing.new(), "Go.")
            assert failure.value.code == code
            assert str(failure.value).startswith("the server answered") or "key" in str(failure.value)
            assert failure.value.data["kind"] in ("authentication_failed", "invalid_request")

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
