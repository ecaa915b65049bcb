"""Does our own client speak to a server elsewhere as it does to one in the process? Structs in, structs out."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from daedal.client import CallFailed, connect
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.errors import UsageError
from daedal.protocol.events import AgentMessageDelta, TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.records import TurnStatus
from daedal.protocol.threads import ThreadReadParams, ThreadStartParams, ThreadStartResponse
from daedal.protocol.turns import Turn, TurnStartParams
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Server

DEADLINE_S = 60


async def one_turn(address: str, token: str, asked: list[ApprovalRequest]) -> tuple[ThreadStartResponse, Turn, str]:
    over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
    said: list[str] = []

    def see(notification: Notification) -> None:
        match notification.params:
            case AgentMessageDelta(delta=delta):
                said.append(delta)
            case TurnCompleted(turn=turn):
                over.set_result(turn)
            case _:
                pass

    async def answer(request: Request) -> Any:
        asked.append(request.params)
        return ApprovalAnswer(decision=ApprovalDecision.ACCEPT)

    client = await connect(address, name="test", token=token, on_event=see, on_request=answer)
    try:
        with pytest.raises(CallFailed, match="none"):
            await client.call("thread/read", ThreadReadParams(thread_id="none"))
        opened = await client.call("thread/start", ThreadStartParams(approval_policy=Posture.ASK))
        await client.call("turn/start", TurnStartParams(thread_id=opened.thread.id, input=[UserInput("Go.")]))
        return opened, await asyncio.wait_for(over, DEADLINE_S), "".join(said)
    finally:
        await client.close()


@requirement("FA-01")
@pytest.mark.parametrize("kind", ["unix", "ws"])
def test_a_turn_with_an_approval_over_a_socket(daedal: Daedal, model, tmp_path: Path, kind: str):
    model([call("WebFetch", url="http://127.0.0.1:9/", prompt="p"), say("Done.")])
    asked: list[ApprovalRequest] = []
    with Server(daedal, f"unix://{tmp_path}/s" if kind == "unix" else "ws://127.0.0.1:0") as server:
        token = (daedal.home / ".daedal" / "app-server.token").read_text().strip() if kind == "ws" else ""
        opened, turn, said = asyncio.run(one_turn(server.address, token, asked))
    assert opened.posture is Posture.ASK
    assert (turn.status, said) == (TurnStatus.COMPLETED, "Done.")
    assert [request.tool for request in asked] == ["WebFetch"]


@pytest.mark.parametrize("address", ["unix:///nowhere/at/all", "ws://127.0.0.1:1", "http://x"])
def test_a_server_that_is_not_there_is_named(address: str):
    async def attempt() -> None:
        await connect(address, name="test", on_event=lambda _: None)

    with pytest.raises(UsageError, match=address.rpartition("/")[2]):
        asyncio.run(attempt())
