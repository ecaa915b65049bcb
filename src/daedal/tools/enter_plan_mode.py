"""How does the model begin to plan?"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.tool import BuiltinTool

PLANNING = "planning"
HOW_TO_PLAN = (
    "Explore with the tools that read and search; ask with AskUserQuestion what only the user can decide. Calls that"
    " change something are refused. When the plan is complete, call ExitPlanMode with it in `plan`: what will be"
    " changed, where, in which order, and how it will be verified. Begin only once the user has approved it."
)


class EnterPlanModeInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class EnterPlanMode(BuiltinTool[EnterPlanModeInput]):
    def __init__(self, spec: ToolSpec) -> None:
        super().__init__(spec, EnterPlanModeInput)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - there are no keys
        return []

    async def act(self, call: EnterPlanModeInput, bench: Bench) -> Outcome:  # noqa: ARG002 - there are no keys
        # Whoever plans needs the way out of it, even where that is not told at first.
        if bench.phase == PLANNING:
            return Outcome(content=f"You are in plan mode already. {HOW_TO_PLAN}", loaded=["ExitPlanMode"])
        return Outcome(content=f"You are in plan mode now. {HOW_TO_PLAN}", phase=PLANNING, loaded=["ExitPlanMode"])
