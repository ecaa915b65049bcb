"""What did hooks answer in a person's place? Permission requests and elicitations; a no outweighs a yes."""

from collections.abc import Sequence
from typing import Any

from daedal.hooks.outcomes import HookOutcome
from daedal.hooks.output import ElicitationArm, Granted, PermissionRequestArm, Refused
from daedal.protocol.hooks import HookEvent, RequestAnswer

ACTIONS = ["accept", "cancel", "decline"]
"""Mildest first."""


def request_answer(event: HookEvent, chain: Sequence[HookOutcome], objections: Sequence[str]) -> RequestAnswer | None:
    """`objections` of the whole chain are the message of a refusal."""
    if event is not HookEvent.PERMISSION_REQUEST:
        return None
    decisions = [o.output.arm.decision for o in chain if isinstance(o.output.arm, PermissionRequestArm)]
    refused = [decision for decision in decisions if isinstance(decision, Refused)]
    granted = [decision for decision in decisions if isinstance(decision, Granted)]
    if objections:
        interrupt = any(decision.interrupt for decision in refused)
        return RequestAnswer(allow=False, message="\n".join(filter(None, objections)), interrupt=interrupt)
    if not granted:
        return None
    inputs = [decision.updated_input for decision in granted if decision.updated_input is not None]
    updates = [update for decision in granted for update in decision.updated_permissions or []]
    return RequestAnswer(allow=True, updated_input=inputs[-1] if inputs else None, updated_permissions=updates)


def elicitation_answer(
    event: HookEvent, chain: Sequence[HookOutcome], objections: Sequence[str]
) -> dict[str, Any] | None:
    """The strictest action; of several accepted contents the last. An objection declines."""
    if event not in (HookEvent.ELICITATION, HookEvent.ELICITATION_RESULT):
        return None
    arms = [o.output.arm for o in chain if isinstance(o.output.arm, ElicitationArm) and o.output.arm.action]
    actions = [arm.action or "" for arm in arms] + (["decline"] if objections else [])
    if not actions:
        return None
    action = max(actions, key=ACTIONS.index)
    contents = [arm.content for arm in arms if arm.content is not None]
    return {"action": action, **({"content": contents[-1]} if action == "accept" and contents else {})}
