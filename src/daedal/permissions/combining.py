"""What do hooks and rules say together? One answer for a live call and for a case that is decided offline."""

from daedal.protocol.hooks import HookAnswer
from daedal.protocol.verdict import Decision, Posture, Verdict

HOOK_RULE = "hook PreToolUse"


def combined(told: HookAnswer, decision: Decision, posture: Posture) -> Decision:
    """The hooks' word and the rules' word together."""
    if told.is_blocked or told.permission is Verdict.DENY:
        return Decision(verdict=Verdict.DENY, rule=HOOK_RULE, reason=told.message or "a hook of the user refuses it")
    if told.stop is not None and decision.verdict is not Verdict.DENY:
        return Decision(verdict=Verdict.DENY, rule=HOOK_RULE, reason=told.stop or "a hook of the user ends the turn")
    # A hook that wants to be asked means it, as a rule does: it is no ask that walls or nobody's presence can answer.
    is_lifted = decision.verdict is Verdict.ALLOW and posture is not Posture.YOLO
    if told.permission is Verdict.ASK and (is_lifted or _is_fallback_ask(decision)):
        reason = told.message or "a hook of the user wants to be asked"
        verdict = Verdict.DENY if posture is Posture.NEVER else Verdict.ASK
        return Decision(verdict=verdict, rule=HOOK_RULE, reason=reason)
    if told.permission is Verdict.ALLOW and _is_fallback_ask(decision):
        return Decision(verdict=Verdict.ALLOW, rule=HOOK_RULE, reason=told.message or "a hook of the user allows it")
    return decision


def _is_fallback_ask(decision: Decision) -> bool:
    return decision.verdict is Verdict.ASK and decision.is_fallback
