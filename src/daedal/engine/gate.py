"""Who has the last word on a tool call? Hooks, then phase and rules, then the guard, then a person within a deadline.

Every call of every thread passes `rule`, whichever door the turn came through. It performs nothing itself. A hook's
allow answers only an ask that no rule wanted; nothing lifts a deny.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine.hooking import ThreadHooks
from daedal.engine.inquiring import TOOL, inquiry, questions_of, ruling_of, unaskable
from daedal.permissions import combined
from daedal.protocol.approvals import EDITABLE, ApprovalAnswer, ApprovalDecision, ApprovalRequest, Offers
from daedal.protocol.errors import TurnCancelled
from daedal.protocol.hooks import HookAnswer, HookEvent, RequestAnswer
from daedal.protocol.judging import Policy, Preview, Rulebook
from daedal.protocol.redaction import Redactor
from daedal.protocol.service import Faces
from daedal.protocol.verdict import Decision, Posture, Ruling, ToolRequest, Verdict

ESCAPE_RULE = "sandbox:escape"
RULE_CHARACTERS_MAX = 200
WITH_NOBODY_THERE = {
    "person:ExitPlanMode": (
        "Your plan is kept as a draft. End your turn now: sum up the plan, and tell the user that `daedal plan show`"
        " shows it whole, `daedal plan approve` approves it, and `daedal exec --continue` then carries it out"
    )
}
"""What the model can do about a question that nobody answered, by the rule that asks it."""


class Way(Struct, frozen=True):
    """How a call that is asked about can be described anew, and shown."""

    turn_id: str
    revise: Callable[[dict[str, Any]], ToolRequest]
    preview: Preview | None


class OrderedGate:
    def __init__(
        self,
        rulebook: Rulebook,
        faces: Faces,
        hooks: ThreadHooks,
        *,
        thread_id: str,
        redact: Redactor,
        guard: Policy | None = None,
        deadline_s: float,
    ) -> None:
        """`redact` takes known credentials out of what a person answers, which goes to the model and on the record."""
        self._rulebook = rulebook
        self._faces = faces
        self._hooks = hooks
        self._thread_id = thread_id
        self._redact = redact
        self._guard = guard
        self._deadline_s = deadline_s

    def may_ask(self, request: ToolRequest) -> bool:
        return self._decide(request, HookAnswer()).verdict is Verdict.ASK

    async def rule(
        self,
        request: ToolRequest,
        *,
        turn_id: str,
        revise: Callable[[dict[str, Any]], ToolRequest],
        preview: Preview | None = None,
    ) -> Ruling:
        self._hooks.mode = self._rulebook.mode
        told = await self._hooks.fire(HookEvent.PRE_TOOL_USE, turn_id=turn_id, **_about(request))
        if told.updated_input is not None:
            request = revise(told.updated_input)
        ruling = Ruling(decision=self._decide(request, told))
        if ruling.decision.verdict is Verdict.ASK and request.is_own:
            typed = Decision(verdict=Verdict.ALLOW, rule=ruling.decision.rule, reason="the user typed it")
            ruling = Ruling(decision=typed)
        if ruling.decision.verdict is Verdict.ASK:
            way = Way(turn_id, revise, preview)
            ruling = await self._settle(request, ruling.decision, told, way)
        changed = ruling.input if ruling.input is not None else told.updated_input
        if not ruling.allowed:
            about = request if ruling.input is None else revise(ruling.input)
            ruling = await self._tell_denied(about, ruling, turn_id=turn_id)
        return replace(ruling, input=changed, context=[*told.additional_context, *ruling.context])

    def enter(self, phase: str, *, has_approved_plan: bool, carries_out: bool = False) -> None:
        self._rulebook.enter(phase, has_approved_plan=has_approved_plan, carries_out=carries_out)

    def denials(self) -> list[str]:
        return self._rulebook.denials()

    def adjust(self, *, posture: Posture, mode: str | None, is_read_only: bool) -> None:
        self._rulebook.adjust(posture=posture, mode=mode, is_read_only=is_read_only)

    async def let_out(self, request: ToolRequest, *, turn_id: str, blocked: str) -> Ruling | None:
        if self._rulebook.posture is Posture.NEVER:
            return None  # Whoever chose that wants nobody to be asked, whoever is there.
        reason = f"the sandbox stopped it ({blocked}); allowed, it runs once more without walls"
        question = Decision(verdict=Verdict.ASK, rule=ESCAPE_RULE, reason=reason, is_firm=True)
        answer = await self._answer(request, question, Offers(), turn_id=turn_id)
        return None if answer is None or answer.by_default else self._ruling(question, answer, Offers())

    def _decide(self, request: ToolRequest, told: HookAnswer) -> Decision:
        decision = combined(told, self._rulebook.decide(request), self._rulebook.posture)
        if self._guard is not None and decision.verdict is not Verdict.DENY:
            judged = self._guard.decide(request)
            return judged if judged.verdict is Verdict.DENY else decision
        return decision

    async def _settle(self, request: ToolRequest, decision: Decision, told: HookAnswer, way: Way) -> Ruling:
        """An ask that nothing has answered yet: a hook in the person's place, then the person."""
        instead = await self._hooks.fire(
            HookEvent.PERMISSION_REQUEST, turn_id=way.turn_id, tool_name=request.tool, tool_input=request.input
        )
        changed = instead.request.updated_input if instead.request is not None else None
        if changed is not None:
            # Another call than the one that was judged: what holds for that one holds again.
            request = way.revise(changed)
            decision = self._decide(request, told)
            if decision.verdict is Verdict.DENY:
                return Ruling(decision=decision, asked=True, input=changed)
        if instead.request is not None and not (decision.is_firm and instead.request.allow):
            return self._by_hook(decision, instead.request)
        ruling = await self._ask(request, decision, way)
        return ruling if changed is None or ruling.input is not None else replace(ruling, input=changed)

    async def _ask(self, request: ToolRequest, decision: Decision, way: Way) -> Ruling:
        turn_id = way.turn_id
        message = f"{request.tool} needs an answer: {decision.reason}"
        noted = await self._hooks.fire(
            HookEvent.NOTIFICATION, turn_id=turn_id, message=message, notification_type="permission_prompt"
        )
        if request.tool == TOOL:
            return replace(await self._inquire(request, turn_id=turn_id), context=noted.additional_context)
        offers = Offers() if decision.is_firm else self._rulebook.offers(request)
        answer = await self._answer(request, decision, offers, turn_id=turn_id, preview=way.preview)
        if answer is None:
            ruling = Ruling(decision=_late(decision), asked=True, by_default=True)
        elif answer.by_default:
            ruling = Ruling(decision=unattended(decision, request, offers), asked=True, by_default=True)
        else:
            ruling = self._answered(request, self._ruling(decision, answer, offers), answer, way)
        return replace(ruling, context=noted.additional_context)

    def _answered(self, request: ToolRequest, ruling: Ruling, answer: ApprovalAnswer, way: Way) -> Ruling:
        """With what the person changed in the call. What is denied stays denied, whoever wrote it."""
        from daedal.engine.wording import edited_input, said_with

        given = edited_input(request, answer) if way.preview is not None and ruling.allowed else None
        if given is None:
            return replace(ruling, said=said_with(answer), mode=answer.mode) if ruling.allowed else ruling
        judged = self._decide(way.revise(given), HookAnswer())
        if judged.verdict is Verdict.DENY:
            return Ruling(decision=judged, asked=True, input=given)
        return replace(ruling, input=given, said=said_with(answer, given, request.tool), mode=answer.mode)

    async def _inquire(self, request: ToolRequest, *, turn_id: str) -> Ruling:
        """A question is not allowed or refused but answered."""
        questions = questions_of(request.input)
        if not questions:
            return unaskable(request)
        asked = inquiry(request, questions, thread_id=self._thread_id, turn_id=turn_id)
        try:
            async with asyncio.timeout(self._deadline_s):
                ruling = ruling_of(request, questions, await self._faces.inquire(asked), late=False)
                return replace(ruling, input=self._redact.value(ruling.input))
        except TimeoutError:
            return ruling_of(request, questions, None, late=True)

    def _by_hook(self, decision: Decision, answer: RequestAnswer) -> Ruling:
        rule = "hook PermissionRequest"
        if answer.allow:
            self._rulebook.update(answer.updated_permissions)
            allowed = Decision(verdict=Verdict.ALLOW, rule=rule, reason="a hook allowed it in the user's place")
            return Ruling(decision=allowed, asked=True, input=answer.updated_input)
        refused = Decision(verdict=Verdict.DENY, rule=rule, reason=answer.message or decision.reason)
        ruling = Ruling(decision=refused, asked=True)
        if answer.interrupt:
            raise TurnCancelled(ruling)
        return ruling

    async def _answer(
        self,
        request: ToolRequest,
        decision: Decision,
        offers: Offers,
        *,
        turn_id: str,
        preview: Preview | None = None,
    ) -> ApprovalAnswer | None:
        """None when nobody answered in time. A client that knows of no person says so by its label."""
        changes = await preview(request) if preview is not None else []
        question = ApprovalRequest(
            thread_id=self._thread_id,
            turn_id=turn_id,
            item_id=request.tool_use_id,
            tool=request.tool,
            arguments=request.input,
            cwd=request.cwd,
            rule=decision.rule,
            reason=decision.reason,
            deadline_ms=int((time.time() + self._deadline_s) * 1000),
            offers=offers,
            started_at_ms=int(time.time() * 1000),
            command=str(request.input.get("command", "")) if request.tool == "Bash" else None,
            changes=changes,
            is_confined=request.is_confined,
            is_editable=preview is not None and request.tool in EDITABLE,
            principal=request.principal,
        )
        try:
            async with asyncio.timeout(self._deadline_s):
                answer = await self._faces.ask(question)
        except TimeoutError:
            return None
        if answer is None:
            return None
        message, arguments = self._redact(answer.message), self._redact.value(answer.arguments)
        return replace(answer, message=message, arguments=arguments)

    def _ruling(self, decision: Decision, answer: ApprovalAnswer, offers: Offers) -> Ruling:
        said = f": {answer.message}" if answer.message else ""
        match answer.decision:
            case ApprovalDecision.ACCEPT:
                verdict, reason = Verdict.ALLOW, f"allowed once by the user{said}"
            case ApprovalDecision.ACCEPT_FOR_SESSION:
                verdict, reason = Verdict.ALLOW, self._granted(answer, offers.for_session, always=False)
            case ApprovalDecision.ACCEPT_ALWAYS:
                verdict, reason = Verdict.ALLOW, self._granted(answer, offers.always, always=True)
            case ApprovalDecision.DECLINE:
                verdict, reason = Verdict.DENY, f"the user declined it{said}"
            case ApprovalDecision.CANCEL:
                refusal = Decision(verdict=Verdict.DENY, rule=decision.rule, reason="the user stopped the turn")
                raise TurnCancelled(Ruling(decision=refusal, asked=True))
        return Ruling(decision=Decision(verdict=verdict, rule=decision.rule, reason=reason), asked=True)

    def _granted(self, answer: ApprovalAnswer, offered: list[str], *, always: bool) -> str:
        """Grants one of the offered rules, the narrowest unless another was chosen."""
        rule = answer.rule if answer.rule in offered else next(iter(offered), None)
        if rule is None:
            return "allowed once by the user: no rule would cover it"
        self._rulebook.grant(rule, always=always, is_project=answer.scope == "project")
        return f"allowed {'always' if always else 'for this session'} by the user: {rule}"

    async def _tell_denied(self, request: ToolRequest, ruling: Ruling, *, turn_id: str) -> Ruling:
        told = await self._hooks.fire(
            HookEvent.PERMISSION_DENIED, turn_id=turn_id, **_about(request), reason=ruling.decision.reason
        )
        return replace(ruling, may_retry=told.retry)


def unattended(decision: Decision, request: ToolRequest, offers: Offers) -> Decision:
    """What becomes of an ask that nobody can answer: where no rule wanted it and walls stand, it may run."""
    if decision.is_fallback and request.is_confined:
        return Decision(verdict=Verdict.ALLOW, rule="fallback:confined", reason="nobody could be asked; it is confined")
    reason = f"{decision.reason}, and nobody was there to be asked; refused by default"
    hint = _way_to_allow(offers) if decision.is_fallback else WITH_NOBODY_THERE.get(decision.rule)
    return Decision(verdict=Verdict.DENY, rule=decision.rule, reason=f"{reason}. {hint}" if hint else reason)


def _way_to_allow(offers: Offers) -> str:
    """The narrowest rule that would do, as the user would write it."""
    from shlex import quote

    rule = next((rule for rule in offers.always if len(rule) <= RULE_CHARACTERS_MAX and rule.isprintable()), None)
    named = "" if rule is None else f" {quote(rule)}"
    return f"Nothing confines it here: the user can allow it with --allow{named} or --approval yolo"


def _late(decision: Decision) -> Decision:
    reason = f"{decision.reason}, and nobody answered in time; refused by default"
    hint = WITH_NOBODY_THERE.get(decision.rule)
    return Decision(verdict=Verdict.DENY, rule=decision.rule, reason=f"{reason}. {hint}" if hint else reason)


def _about(request: ToolRequest) -> dict[str, Any]:
    return {"tool_name": request.tool, "tool_input": request.input, "tool_use_id": request.tool_use_id}
