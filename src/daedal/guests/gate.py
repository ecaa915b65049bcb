"""What does our gate judge where a guest asks? All calls of a reply before any of them runs, and each file of a patch.

A guest may want the answer to every call of a reply before it begins with one. So they are judged together, in their
order, and what is refused is refused at once. One patch may add, change, move and delete, and rules speak of these by
different names: each file is judged by itself.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from daedal.guests.patches import parts_of
from daedal.guests.seat import Seat
from daedal.guests.toolbox import tool_of
from daedal.protocol.content import ToolUse
from daedal.protocol.errors import TurnCancelled
from daedal.protocol.judging import Gate, Preview
from daedal.protocol.verdict import Decision, Posture, Ruling, ToolRequest, Verdict

UNCHANGEABLE = "guest:unchangeable"


class GuestGate:
    """The `Gate` seam around our own."""

    def __init__(self, gate: Gate, seat: Seat) -> None:
        self._gate = gate
        self._seat = seat
        self._rulings: dict[str, Ruling | TurnCancelled] = {}
        """Of calls that the engine has not come to yet."""

    async def rule(
        self,
        request: ToolRequest,
        *,
        turn_id: str,
        revise: Callable[[dict[str, Any]], ToolRequest],
        preview: Preview | None = None,
    ) -> Ruling:
        del preview  # What it would change, the guest has told in its own words.
        if request.tool_use_id not in self._rulings:
            await self._judge_all(request, turn_id=turn_id, revise=revise)
        ruling = self._rulings.pop(request.tool_use_id)
        if isinstance(ruling, TurnCancelled):
            raise ruling
        return ruling

    async def _judge_all(
        self, request: ToolRequest, *, turn_id: str, revise: Callable[[dict[str, Any]], ToolRequest]
    ) -> None:
        """This call, and those that came with it."""
        self._rulings.clear()
        together = self._seat.dialogue.take_calls()
        if request.tool_use_id not in [call.id for call in together]:
            together = [ToolUse(request.tool_use_id, request.tool, request.input)]
        for call in together:
            is_this = call.id == request.tool_use_id
            judged = request if is_this else self._described(call, request)
            try:
                ruling = await self._judge(judged, turn_id=turn_id, revise=revise if is_this else None)
            except TurnCancelled as cancelled:
                self._rulings[call.id] = cancelled
                return
            self._rulings[call.id] = ruling
            if not ruling.allowed:
                why = ruling.decision.reason.rstrip(".")
                await self._seat.refuse(call.id, f"Permission denied by {ruling.decision.rule}: {why}.")

    def _described(self, call: ToolUse, beside: ToolRequest) -> ToolRequest:
        tool = tool_of(call.name, self._seat)
        given = self._seat.redact.value(call.input)
        return replace(
            beside,
            tool_use_id=call.id,
            tool=call.name,
            input=given,
            read_only=tool.spec.read_only,
            paths=tool.paths(given, beside.cwd),
            is_confined=tool.is_confined(given, beside.cwd),
        )

    async def _judge(
        self, request: ToolRequest, *, turn_id: str, revise: Callable[[dict[str, Any]], ToolRequest] | None
    ) -> Ruling:
        parts = parts_of(request)
        if not parts:
            again = revise or _reviser(request)
            return self._as_asked(request, await self._gate.rule(request, turn_id=turn_id, revise=again))
        rulings: list[Ruling] = []
        for part in parts:
            ruled = await self._gate.rule(part, turn_id=turn_id, revise=_reviser(part))
            rulings.append(self._as_asked(part, ruled))
            if not rulings[-1].allowed:
                break
        return replace(rulings[-1], input=None, context=[note for ruling in rulings for note in ruling.context])

    def enter(self, phase: str, *, has_approved_plan: bool, carries_out: bool = False) -> None:
        self._gate.enter(phase, has_approved_plan=has_approved_plan, carries_out=carries_out)

    def denials(self) -> list[str]:
        return self._gate.denials()

    def adjust(self, *, posture: Posture, mode: str | None, is_read_only: bool) -> None:
        self._gate.adjust(posture=posture, mode=mode, is_read_only=is_read_only)

    def may_ask(self, request: ToolRequest) -> bool:  # noqa: ARG002 - what a guest's call would change is not known here
        return False

    async def let_out(self, request: ToolRequest, *, turn_id: str, blocked: str) -> Ruling | None:
        return await self._gate.let_out(request, turn_id=turn_id, blocked=blocked)

    def _as_asked(self, request: ToolRequest, ruling: Ruling) -> Ruling:
        host = self._seat.host
        if ruling.input is None or ruling.input == request.input or not ruling.allowed or host.takes_changes:
            return ruling
        if self._seat.lent(request.tool) is not None:
            return ruling  # It is not the guest who runs it.
        reason = f"a hook of the user changed this call, and {host.name} cannot run a changed one: ask differently"
        return replace(ruling, decision=Decision(verdict=Verdict.DENY, rule=UNCHANGEABLE, reason=reason), input=None)


def _reviser(request: ToolRequest) -> Callable[[dict[str, Any]], ToolRequest]:
    def revise(given: dict[str, Any]) -> ToolRequest:
        return replace(request, input=given)

    return revise
