"""How is the person at the other end asked? Through the agent that borrows, where it can show a form."""

import time
from typing import TYPE_CHECKING

import msgspec
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, RequestId

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.catalogue import say

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

SHOWN_MAX = 4_000
"""Characters of a call; whoever is asked is told where there are more."""
NOBODY = ApprovalAnswer(decision=ApprovalDecision.DECLINE, by_default=True)
"""The answer where nobody can be asked."""


def can_ask(session: "ServerSession") -> bool:
    """Whether the client shows forms. Before there was another mode, the bare capability meant just that."""
    declared = session.client_capabilities
    elicitation = declared.elicitation if declared is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


async def confirmed(session: "ServerSession", call: RequestId | None, request: ApprovalRequest) -> ApprovalAnswer:
    """What the person says, before the question's deadline. A client that fails to ask has not been told yes."""
    # No fields: to accept the form is to allow the call.
    form = ElicitRequestFormParams(message=question(request), requested_schema={"type": "object", "properties": {}})
    try:
        answer = await session.send_request(
            ElicitRequest(params=form),
            ElicitResult,
            request_read_timeout_seconds=max(0.001, request.deadline_ms / 1000 - time.time()),
            metadata=ServerMessageMetadata(related_request_id=call),
        )
    except (MCPError, ValueError) as trouble:
        message = f"the agent that borrows this tool could not ask: {trouble}"
        return ApprovalAnswer(decision=ApprovalDecision.DECLINE, message=message)
    decision = ApprovalDecision.ACCEPT if answer.action == "accept" else ApprovalDecision.DECLINE
    return ApprovalAnswer(decision=decision)


def question(request: ApprovalRequest) -> str:
    what = request.command or msgspec.json.encode(request.arguments).decode()
    shown = legible(what[:SHOWN_MAX])
    if len(what) > SHOWN_MAX:
        shown += say("mcp.lending.more", count=len(what) - SHOWN_MAX)
    return say("mcp.lending.question", tool=request.tool, what=shown, reason=request.reason, rule=request.rule)


def legible(text: str) -> str:
    """With a name for every character that would not be seen, or would change what is seen."""
    return "".join(sign if sign.isprintable() or sign == "\n" else f"\\u{ord(sign):04x}" for sign in text)
