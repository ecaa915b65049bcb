"""How does what a client written for Codex says become ours, and what we ask become something it can answer?

Our structs are the wire wherever they can be. What is left is here: words with two spellings, input that is no text,
decisions that are objects, and approvals for tools that Codex does not have.
"""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from daedal.protocol.approvals import (
    APPROVAL_METHOD_OTHER,
    ApprovalAnswer,
    ApprovalDecision,
    ApprovalRequest,
    approval_method,
)
from daedal.protocol.catalogue import say
from daedal.protocol.inquiries import InputAnswer
from daedal.protocol.verdict import Posture

POSTURES = {"untrusted": Posture.ASK, "on-request": Posture.ASK}
"""`on-request` leaves it to the model whether to ask. Here the rules decide that."""
SANDBOXES = ("read-only", "workspace-write", "danger-full-access")
EFFORTS = {"none": "low", "minimal": "low", "ultra": "max"}
"""Words of Codex's models for which there is none here: the nearest."""
ELICITATION = "mcpServer/elicitation/request"


class Untranslatable(Exception):
    """The client said something that has no meaning here; the sentence says what and why."""


def options(params: dict[str, Any]) -> dict[str, Any]:
    """The options of a thread or a turn in our words."""
    told = dict(params)
    policy = told.get("approvalPolicy")
    if isinstance(policy, dict):
        told["approvalPolicy"] = str(Posture.ASK)  # granular: each ask goes to the person, which is never wider
    elif isinstance(policy, str):
        told["approvalPolicy"] = str(_posture(policy))
    sandbox = told.get("sandbox")
    if sandbox is not None and sandbox not in SANDBOXES:
        raise Untranslatable(say("server.bad_sandbox", value=sandbox))
    if isinstance(told.get("collaborationMode"), dict):
        told = _collaborating(told)
    if isinstance(told.get("effort"), str):
        told["effort"] = EFFORTS.get(told["effort"], told["effort"])
    return {key: value for key, value in told.items() if value is not None}


def _collaborating(told: dict[str, Any]) -> dict[str, Any]:
    """Codex's plan mode, with the model and the effort that it brings along."""
    mode = cast("dict[str, Any]", told.pop("collaborationMode"))
    if mode.get("mode") == "plan":
        told["permissionMode"] = "plan"
    else:
        told["leavesPlan"] = True
    settings = mode.get("settings")
    brought = cast("dict[str, Any]", settings) if isinstance(settings, dict) else {}
    for key, name in (("model", "model"), ("effort", "reasoning_effort")):
        if brought.get(name) is not None:
            told[key] = brought[name]
    return told


def _posture(policy: str) -> Posture:
    known = POSTURES.get(policy)
    if known is not None:
        return known
    try:
        return Posture(policy)
    except ValueError as error:
        raise Untranslatable(say("server.bad_policy", value=policy)) from error


def with_input(params: dict[str, Any]) -> dict[str, Any]:
    """The same for a turn: whatever the person gave becomes words and references."""
    told = options(params)
    if "input" in told:
        told["input"] = [_input(part) for part in _list(told["input"])]
    return told


def _input(part: Any) -> Any:
    if not isinstance(part, dict):
        return part  # the check of the shape says what is wrong with it
    said = cast("dict[str, Any]", part)
    match said.get("type"):
        case "image" if str(said.get("url", "")).startswith("file://"):
            return {"type": "localImage", "path": str(said["url"]).removeprefix("file://")}
        case "image" if not isinstance(said.get("url"), str):
            raise Untranslatable(say("server.bad_input", type="image", why="give its url (data:…) or its path"))
        case "audio" | "localAudio" as kind:
            raise Untranslatable(say("server.bad_input", type=kind, why="models here read text and images"))
        case _:
            return said


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def approval_words(request: ApprovalRequest, *, is_ours: bool) -> tuple[str, Any]:
    """Method and params. A client that knows only Codex answers a form for what is neither command nor file change."""
    method = approval_method(request.tool)
    if is_ours or method != APPROVAL_METHOD_OTHER:
        return method, request
    return ELICITATION, {
        "threadId": request.thread_id,
        "turnId": request.turn_id,
        "serverName": "daedal",
        "mode": "form",
        "message": f"Allow {request.tool}? {request.reason}",
        "requestedSchema": {"type": "object", "properties": {}},
        "_meta": {
            "codex_approval_kind": "mcp_tool_call",
            "tool": request.tool,
            "arguments": request.arguments,
            "itemId": request.item_id,
        },
    }


def approval_answer(said: Any) -> ApprovalAnswer | None:
    """None where it says nothing that could be acted upon."""
    if not isinstance(said, Mapping):
        return None
    answer = dict(cast("Mapping[str, Any]", said))
    decision = answer.get("decision", answer.get("action"))
    if isinstance(decision, dict):
        decision = _amended(cast("dict[str, Any]", decision))
    try:
        return msgspec.convert({**answer, "decision": decision}, ApprovalAnswer)
    except msgspec.ValidationError:
        return None


def _amended(decision: dict[str, Any]) -> str | None:
    """A decision with a rule. The rule itself is chosen among those that we offered."""
    if "acceptWithExecpolicyAmendment" in decision:
        return ApprovalDecision.ACCEPT_ALWAYS
    network = decision.get("applyNetworkPolicyAmendment")
    if isinstance(network, dict):
        amendment: Any = cast("dict[str, Any]", network).get("network_policy_amendment")
        allowed = isinstance(amendment, dict) and cast("dict[str, Any]", amendment).get("action") == "allow"
        return ApprovalDecision.ACCEPT if allowed else ApprovalDecision.DECLINE
    return None


def input_answer(said: Any) -> InputAnswer | None:
    try:
        return msgspec.convert(said, InputAnswer)
    except msgspec.ValidationError:
        return None
