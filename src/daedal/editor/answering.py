"""Who answers what the engine asks? The person in the editor, as long as the answer still matters."""

import asyncio
import time
from collections.abc import Awaitable
from typing import Any

from daedal.editor.asking import approval, permission_options
from daedal.editor.choosing import chosen
from daedal.editor.line import Line
from daedal.editor.showing import Showing
from daedal.editor.tool_calls import proposed
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.inquiries import InputRequest
from daedal.protocol.turns import Turn
from daedal.protocol.wire import Request


async def answer(request: Request, line: Line, showing: Showing, over: asyncio.Future[Turn] | None) -> Any:
    """None is no answer, and the gate takes it for a refusal by default. `over` is the end of the turn that asks."""
    await line.outbox.heard()  # Nobody can be asked about a call that is not shown yet.
    match request.params:
        case ApprovalRequest() as asked:
            return await _while_it_matters(_approve(asked, line, showing), over, asked.deadline_ms)
        case InputRequest() as asked:
            answering = chosen(line.editor, showing.session_id, asked, has_forms=line.has_forms)
            return await _while_it_matters(answering, over, None)
        case _:
            return None


async def _approve(asked: ApprovalRequest, line: Line, showing: Showing) -> ApprovalAnswer | None:
    response = await line.editor.request_permission(
        session_id=showing.session_id, tool_call=proposed(asked), options=permission_options(asked)
    )
    answer = approval(asked, response)
    if answer is not None and answer.decision not in (ApprovalDecision.DECLINE, ApprovalDecision.CANCEL):
        showing.allowed(asked.item_id)
    return answer


async def _while_it_matters(
    answering: Awaitable[Any], over: asyncio.Future[Turn] | None, deadline_ms: int | None
) -> Any:
    """The answer, unless the turn ends or the time is up before it comes."""
    task = asyncio.ensure_future(answering)
    seconds = None if deadline_ms is None else max(deadline_ms / 1000 - time.time(), 0)
    try:
        ends = [task] if over is None else [task, over]
        await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    except ConnectionError:
        # The editor has left, which ends the turn: a refusal instead would have the model go on meanwhile.
        return await asyncio.Event().wait()
    finally:
        task.cancel()
