"""What happens when the gate asks? A protocol client accepts, declines, stops the turn, or is silent."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from daedal.app import HouseOptions, open_house
from daedal.client import Client
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.events import TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.records import TurnStatus
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.turns import Turn, TurnStartParams
from daedal.protocol.wire import Notification, Request
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal

Answer = Callable[[Request], Awaitable[ApprovalAnswer]]
TOUCH = call("Bash", command="touch made; echo touched")


def drive(daedal: Daedal, monkeypatch: pytest.MonkeyPatch, answer: Answer) -> Turn:
    """One turn by a client in this process, which answers approval requests."""
    for name, value in daedal.environment().items():
        monkeypatch.setenv(name, value)

    async def turn() -> Turn:
        over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()

        def see(notification: Notification) -> None:
            if isinstance(notification.params, TurnCompleted):
                over.set_result(notification.params.turn)

        async def run(client: Client) -> Turn:
            started = await client.call("thread/start", ThreadStartParams(cwd=str(daedal.workspace)))
            await client.call("turn/start", TurnStartParams(thread_id=started.thread.id, input=[UserInput("Go.")]))
            return await over

        async with open_house(
            HouseOptions(cwd=str(daedal.workspace)), on_event=see, on_request=answer, on_warning=print
        ) as client:
            return await asyncio.wait_for(run(client), 60)

    return asyncio.run(turn())


def answering(decision: ApprovalDecision, asked: list[ApprovalRequest]) -> Answer:
    async def answer(request: Request) -> ApprovalAnswer:
        asked.append(request.params)
        return ApprovalAnswer(decision=decision)

    return answer


def reasons(daedal: Daedal) -> list[dict[str, object]]:
    return [json.loads(row[0]) for row in daedal.rows("SELECT reason_json FROM tool_permission_log ORDER BY id")]


def test_an_accepted_call_runs_and_is_asked_again_the_next_time(daedal: Daedal, model, monkeypatch):
    model([TOUCH, TOUCH, say("Done.")])
    asked: list[ApprovalRequest] = []
    turn = drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT, asked))
    assert turn.status is TurnStatus.COMPLETED
    assert (daedal.workspace / "made").exists()
    assert [(request.tool, request.rule) for request in asked] == [("Bash", "fallback")] * 2
    assert asked[0].arguments == {"command": "touch made; echo touched"}
    assert all(reason["asked"] for reason in reasons(daedal))


def test_a_call_accepted_for_the_session_is_asked_once(daedal: Daedal, model, monkeypatch):
    other = call("Bash", command="touch other")
    model([TOUCH, TOUCH, other, say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT_FOR_SESSION, asked))
    assert [request.arguments["command"] for request in asked] == ["touch made; echo touched", "touch other"]


def test_a_declined_call_does_not_run_and_the_turn_goes_on(daedal: Daedal, model, monkeypatch):
    model([TOUCH, say("Then not.")])
    turn = drive(daedal, monkeypatch, answering(ApprovalDecision.DECLINE, []))
    assert turn.status is TurnStatus.COMPLETED
    assert not (daedal.workspace / "made").exists()
    assert "the user declined" in daedal.results()[0]["content"]


def test_a_cancelling_answer_stops_the_turn_with_every_call_answered(daedal: Daedal, model, monkeypatch):
    model([TOUCH, say("never")])
    turn = drive(daedal, monkeypatch, answering(ApprovalDecision.CANCEL, []))
    assert turn.status is TurnStatus.INTERRUPTED
    assert not (daedal.workspace / "made").exists()
    assert "did not run" in daedal.results()[0]["content"]


def test_silence_until_the_deadline_counts_as_declined_and_is_labelled_so(daedal: Daedal, model, monkeypatch):
    configure(daedal, "[agent]\napproval_timeout_s = 0.2\n")
    model([TOUCH, say("Nobody was there.")])

    async def silent(request: Request) -> ApprovalAnswer:
        await asyncio.Event().wait()
        raise AssertionError(request)

    turn = drive(daedal, monkeypatch, silent)
    assert turn.status is TurnStatus.COMPLETED
    assert not (daedal.workspace / "made").exists()
    (reason,) = reasons(daedal)
    assert reason["by_default"] is True


def test_a_client_that_cannot_answer_counts_as_declined(daedal: Daedal, model, monkeypatch):
    model([TOUCH, say("Nobody was there.")])

    async def broken(request: Request) -> ApprovalAnswer:
        raise RuntimeError(request.method)

    assert drive(daedal, monkeypatch, broken).status is TurnStatus.COMPLETED
    assert not (daedal.workspace / "made").exists()
