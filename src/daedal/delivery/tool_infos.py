"""What is the model told about the deliverable tools? Names, descriptions, and the shapes of their arguments."""

from typing import Any

from msgspec import Struct

from daedal.delivery.deliverables import Status

LIMIT = 5
LIMIT_MAX = 500
TEXT = {"type": "string"}
DELIVERABLE_ID = {"type": "string", "description": "for instance UI-001"}


class ToolInfo(Struct, frozen=True):
    name: str
    description: str
    schema: dict[str, Any]


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def infos(*, verifying: bool, evidence: bool) -> list[ToolInfo]:
    status = {"type": "string", "enum": [str(status) for status in Status]}
    wanted = _object(
        {
            "id": {"type": "string", "description": "TYPE-NNN, unique, never changed again; for instance UI-001"},
            "description": TEXT,
            "acceptanceCriteria": {
                "type": "array",
                "items": TEXT,
                "description": "what can be checked by running something, one statement each",
            },
        },
        "id",
        "description",
        "acceptanceCriteria",
    )
    claim = _object(
        {
            "criterion": {"type": "integer", "description": "its place among the acceptance criteria, from 1"},
            "command": {
                "type": "string",
                "description": "the Bash command of this session that shows it, exactly as it ran",
            },
        },
        "criterion",
        "command",
    )
    proof = {
        "evidence": {
            "type": "array",
            "items": claim,
            "description": "for passed: for each criterion a command that ran after your last change and exited with 0",
        }
    }
    chosen = {"status": status} | ({"verified": {"type": "boolean"}} if verifying else {})
    about_passed = (
        " `passed` is accepted only with evidence for every acceptance criterion: a test, a build or a run of the"
        " program that succeeded after the last change. Without it the answer says what is missing."
        if evidence
        else ""
    )
    return [
        ToolInfo(
            "create",
            "Create deliverables with their acceptance criteria, all of them or none.",
            _object({"deliverables": {"type": "array", "items": wanted}}, "deliverables"),
        ),
        ToolInfo(
            "set_status",
            "Set a deliverable to pending, passed or blocked. pending is also the way back when something passed turns"
            " out to be broken. blocked is for what is outside this machine only (credentials, services, hardware,"
            " network), never for order of work or difficulty." + about_passed,
            _object(
                {"deliverableId": DELIVERABLE_ID, "status": status, **(proof if evidence else {})},
                "deliverableId",
                "status",
            ),
        ),
        ToolInfo(
            "deprecate",
            "Mark a deliverable that the specification no longer asks for. Its record is kept.",
            _object({"deliverableId": DELIVERABLE_ID}, "deliverableId"),
        ),
        ToolInfo(
            "verify",
            "Mark a deliverable as checked, after its status was set to what you found.",
            _object({"deliverableId": DELIVERABLE_ID}, "deliverableId"),
        ),
        ToolInfo(
            "list",
            f"List deliverables, {LIMIT} at a time unless limit says otherwise; `next.offset` of the answer leads on.",
            _object(
                {
                    "filter": _object(chosen),
                    "limit": {"type": "integer", "minimum": 1, "maximum": LIMIT_MAX},
                    "offset": {"type": "integer", "minimum": 0},
                }
            ),
        ),
    ]
