"""How is a person in the editor asked about a tool call? With the choices that our gate offers for it."""

from acp.schema import AllowedOutcome, PermissionOption, RequestPermissionResponse

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.catalogue import say

RULES_MAX = 2
"""Of the rules that would cover a call the narrowest are offered; each is a button."""

PLAN_TOOL = "ExitPlanMode"


def permission_options(asked: ApprovalRequest) -> list[PermissionOption]:
    is_plan = asked.tool == PLAN_TOOL
    once = say("editor.approve_plan") if is_plan else say("editor.allow_once")
    no = say("editor.keep_planning") if is_plan else say("editor.reject")
    return [
        PermissionOption(option_id=ApprovalDecision.ACCEPT, name=once, kind="allow_once"),
        *(
            PermissionOption(
                option_id=f"{ApprovalDecision.ACCEPT_FOR_SESSION}:{rule}",
                name=say("editor.allow_for_session", rule=rule),
                kind="allow_always",
            )
            for rule in asked.offers.for_session[:RULES_MAX]
        ),
        *(
            PermissionOption(
                option_id=f"{ApprovalDecision.ACCEPT_ALWAYS}:{rule}",
                name=say("editor.allow_always", rule=rule),
                kind="allow_always",
            )
            for rule in asked.offers.always[:RULES_MAX]
        ),
        PermissionOption(option_id=ApprovalDecision.DECLINE, name=no, kind="reject_once"),
        PermissionOption(option_id=ApprovalDecision.CANCEL, name=say("editor.reject_and_stop"), kind="reject_once"),
    ]


def approval(asked: ApprovalRequest, response: RequestPermissionResponse) -> ApprovalAnswer | None:
    """None where the editor chose what was not offered: that is no answer, and the gate refuses by default."""
    if not isinstance(response.outcome, AllowedOutcome):
        return ApprovalAnswer(decision=ApprovalDecision.CANCEL)
    chosen = response.outcome.option_id
    if chosen not in {option.option_id for option in permission_options(asked)}:
        return None
    decision, _, rule = chosen.partition(":")
    return ApprovalAnswer(decision=ApprovalDecision(decision), rule=rule or None)
