"""Who answers when nobody can be asked? We do: what needs a person is declined, and labelled as such."""

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision
from daedal.protocol.wire import Request


async def decline(request: Request) -> ApprovalAnswer:
    del request
    return ApprovalAnswer(decision=ApprovalDecision.DECLINE, by_default=True)
