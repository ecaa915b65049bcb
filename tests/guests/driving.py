"""How does a test answer a guest's questions? As a protocol client of the same house, in this process."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from daedal.app import HouseOptions, open_house
from daedal.client import Client
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.events import TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.turns import Turn, TurnStartParams
from daedal.protocol.wire import Notification, Request
from tests.toolbox.program import Daedal

Answer = Callable[[Request], Awaitable[ApprovalAnswer]]


def drive(daedal: Daedal, monkeypatch: pytest.MonkeyPatch, engine: str, model: str | None, answer: Answer) -> Turn:
    """One turn by a client that answers approval requests."""
    for name, value in daedal.environment().items():
        monkeypatch.setenv(name, value)

    async def turn() -> Turn:
        over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()

        def see(notification: Notification) -> None:
            if isinstance(notification.params, TurnCompleted):
                over.set_result(notification.params.turn)

        async def run(client: Client) -> Turn:
            params = ThreadStartParams(cwd=str(daedal.workspace), model=model)
            started = await client.call("thread/start", params)
            await client.call("turn/start", TurnStartParams(thread_id=started.thread.id, input=[UserInput("Go.")]))
            return await over

        options = HouseOptions(cwd=str(daedal.workspace), engine=engine)
        async with open_house(options, on_event=see, on_request=answer, on_warning=print) as client:
            return await asyncio.wait_for(run(client), 60)

    return asyncio.run(turn())


def answering(decision: ApprovalDecision, asked: list[ApprovalRequest], message: str = "") -> Answer:
    async def answer(request: Request) -> ApprovalAnswer:
        asked.append(request.params)
        return ApprovalAnswer(decision=decision, message=message)

    return answer
