"""Who has the last word on a tool call? The policy decides; where it asks, a person does, within a deadline.

Every call of every thread passes `rule`, whichever door the turn came through. It performs nothing itself.
"""

import asyncio
import time

from daedal.protocol.approvals import ApprovalDecision, ApprovalRequest
from daedal.protocol.errors import TurnCancelled
from daedal.protocol.seams import Faces, Policy
from daedal.protocol.verdict import Decision, Ruling, ToolRequest, Verdict

ALLOWED_BY = {"fallback": "The user can allow it by starting again with --approval yolo"}
"""What could be done about an ask that nobody answered, by the rule that asked."""


class AskingGate:
    def __init__(self, policy: Policy, faces: Faces, *, deadline_s: float) -> None:
        self._policy = policy
        self._faces = faces
        self._deadline_s = deadline_s
        self._granted: set[tuple[str, str]] = set()

    async def rule(self, request: ToolRequest, *, thread_id: str, turn_id: str) -> Ruling:
        decision = self._policy.decide(request)
        if decision.verdict is not Verdict.ASK:
            return Ruling(decision=decision)
        # What was granted for the session is this very call, not its tool: a wider grant needs a rule.
        call = (request.tool, repr((sorted(request.input.items()), request.cwd)))
        if call in self._granted:
            return Ruling(decision=Decision(verdict=Verdict.ALLOW, rule="session", reason="allowed for this session"))
        return await self._ask(request, decision, call, thread_id=thread_id, turn_id=turn_id)

    async def _ask(
        self, request: ToolRequest, decision: Decision, call: tuple[str, str], *, thread_id: str, turn_id: str
    ) -> Ruling:
        question = ApprovalRequest(
            thread_id=thread_id,
            turn_id=turn_id,
            item_id=request.tool_use_id,
            tool=request.tool,
            arguments=request.input,
            cwd=request.cwd,
            rule=decision.rule,
            reason=decision.reason,
            deadline_ms=int((time.time() + self._deadline_s) * 1000),
        )
        try:
            async with asyncio.timeout(self._deadline_s):
                answer = await self._faces.ask(question)
        except TimeoutError:
            answer = None
        if answer is None or answer.by_default:
            return Ruling(decision=_unanswered(decision), asked=True, by_default=True)
        match answer.decision:
            case ApprovalDecision.ACCEPT:
                verdict, reason = Verdict.ALLOW, "allowed once by the user"
            case ApprovalDecision.ACCEPT_FOR_SESSION:
                self._granted.add(call)
                verdict, reason = Verdict.ALLOW, "allowed for this session by the user"
            case ApprovalDecision.DECLINE:
                verdict, reason = Verdict.DENY, "the user declined it"
            case ApprovalDecision.CANCEL:
                refusal = Decision(verdict=Verdict.DENY, rule=decision.rule, reason="the user stopped the turn")
                raise TurnCancelled(Ruling(decision=refusal, asked=True))
        return Ruling(decision=Decision(verdict=verdict, rule=decision.rule, reason=reason), asked=True)


def _unanswered(decision: Decision) -> Decision:
    """An ask that nobody answered in time is refused, and says what could be done about it."""
    hint = ALLOWED_BY.get(decision.rule)
    reason = f"{decision.reason}, and nobody was there to be asked" + (f". {hint}" if hint else "")
    return Decision(verdict=Verdict.DENY, rule=decision.rule, reason=reason)
