"""Who answers when nobody can be asked? We do: what needs a person is declined, and labelled as such."""

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.wire import Request


async def decline(request: Request) -> ApprovalAnswer | None:
    """A model's own question gets no answer at all: to decline it would be one."""
    if not isinstance(request.params, ApprovalRequest):
        return None
    return ApprovalAnswer(decision=ApprovalDecision.DECLINE, by_default=True)
