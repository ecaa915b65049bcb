"""How does the model present its plan? A person has approved it before this runs: the gate asks.

The plan comes with the call, because plans are kept in the ledger and not in files.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.tool import BuiltinTool


class AllowedPromptInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tool: Literal["Bash"]
    prompt: str


class ExitPlanModeInput(Struct, frozen=True, kw_only=True):
    plan: str = ""
    """Asked for in words of our own where it is missing, since some models know this tool without it."""
    allowedPrompts: list[AllowedPromptInput] = []  # noqa: N815
    """Without effect: what the plan needs is judged when it is called."""


class ExitPlanMode(BuiltinTool[ExitPlanModeInput]):
    def __init__(self, spec: ToolSpec) -> None:
        super().__init__(spec, ExitPlanModeInput)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a plan is no path
        return []

    async def act(self, call: ExitPlanModeInput, bench: Bench) -> Outcome:
        if bench.phase != "planning":
            raise Refused(
                "You are not in plan mode, so there is no plan to approve. Go on with the work, or begin to plan with"
                " EnterPlanMode."
            )
        if not call.plan.strip():
            raise Refused("There is no plan in this call. Call ExitPlanMode again with the whole plan in `plan`.")
        return Outcome(
            content="The user approved the plan. Carry it out now, step by step, and keep to it; where it turns out to"
            " be wrong, say so. TodoWrite keeps track of the steps.",
            phase="implement",
        )
