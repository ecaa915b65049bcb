"""How does a plan come before the person? It is on the record as a draft before anybody is asked about it.

The approval itself is the gate's: `ExitPlanMode` is a call that only a person can allow. What an allowed one changes is
in `effects`.
"""

from collections.abc import Iterable

from daedal.engine.terms import Terms
from daedal.protocol.content import ToolUse
from daedal.protocol.records import PlanSubmitted, Record

PLANNING = "planning"
IMPLEMENT = "implement"
EXIT = "ExitPlanMode"


def submitted(calls: Iterable[ToolUse], terms: Terms, conversation_id: str) -> list[Record]:
    """The drafts among the calls, for the commit that says what the model wants."""
    return [
        PlanSubmitted(conversation_id=conversation_id, content=call.input["plan"])
        for call in calls
        if call.name == EXIT and objection(call, terms) is None
    ]


def objection(call: ToolUse, terms: Terms) -> str | None:
    """Why there is no plan to be approved; None where there is one. Nobody should be asked about nothing."""
    if call.name != EXIT:
        return None
    if terms.phase != PLANNING:
        return "You are not in plan mode, so there is no plan to present. Go on with the work, or call EnterPlanMode."
    plan = call.input.get("plan")
    if not isinstance(plan, str) or not plan.strip():
        return "InputValidationError: ExitPlanMode needs the whole plan, as Markdown, in the key `plan`."
    return None
