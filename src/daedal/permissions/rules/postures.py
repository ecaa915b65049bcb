"""How is an ask answered when a posture answers for the person?

| posture | an ask because no rule spoke | an ask by a rule | an ask that only a person answers |
| --- | --- | --- | --- |
| ask | stays | stays | stays |
| auto | allowed | stays | stays |
| approved plan | allowed | allowed | stays |
| yolo | allowed | allowed | stays |
| never | refused | refused | refused |

Only a person answers questions, plans, trust, writes to what steers an agent, and leaving the sandbox.
"""

from daedal.protocol.verdict import Decision, Posture, Verdict


def answered(decision: Decision, posture: Posture, *, plan_window: bool, unattended: bool) -> Decision:
    if decision.verdict is not Verdict.ASK:
        return decision
    if posture is Posture.NEVER:
        return _refused("posture:never", decision, "--approval never refuses instead of asking")
    if decision.is_firm:
        return _refused(decision.rule, decision, "nobody is there to be asked") if unattended else decision
    if posture is Posture.YOLO:
        return _allowed("posture:yolo", "--approval yolo")
    if plan_window:
        return _allowed("posture:approved-plan", "it belongs to the plan that was just approved")
    if posture is Posture.AUTO and decision.is_fallback:
        return _allowed("posture:auto", "--approval auto allows what no rule asks for")
    return decision


def _allowed(rule: str, reason: str) -> Decision:
    return Decision(verdict=Verdict.ALLOW, rule=rule, reason=reason)


def _refused(rule: str, decision: Decision, why: str) -> Decision:
    return Decision(verdict=Verdict.DENY, rule=rule, reason=f"{decision.reason}; {why}")
