"""What did the person put in other words before they said yes, and how does the model hear of it?"""

from typing import Any

from daedal.protocol.approvals import EDITABLE, ApprovalAnswer
from daedal.protocol.verdict import ToolRequest

TOLD = {
    "Bash": "The user changed the command before allowing it. What ran instead:\n{text}",
    "ExitPlanMode": "The user edited the plan before approving it. This is the plan that counts:\n{text}",
}


def edited_input(request: ToolRequest, answer: ApprovalAnswer) -> dict[str, Any] | None:
    """The input of the call as the person wants it; None where it stays as it was. Other keys are not theirs to set."""
    key = EDITABLE.get(request.tool)
    text = None if key is None or answer.arguments is None else answer.arguments.get(key)
    if key is None or not isinstance(text, str) or not text.strip() or text == request.input.get(key):
        return None
    return {**request.input, key: text}


def said_with(answer: ApprovalAnswer, given: dict[str, Any] | None = None, tool: str = "") -> str:
    """What the model is told beside the result."""
    changed = TOLD[tool].format(text=given[EDITABLE[tool]]) if given is not None else ""
    said = f"The user allowed it and says: {answer.message}" if answer.message else ""
    return "\n\n".join(filter(None, [changed, said]))
