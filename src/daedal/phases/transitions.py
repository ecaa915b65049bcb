"""May a conversation go from this phase to that one? The table, and the reason where it may not.

What a row of the table depends on comes in as values; nothing is looked up here, and nothing is changed.
"""

from typing import Any

from msgspec import Struct

from daedal.phases.coverage import CoverageReport
from daedal.phases.phase import Phase
from daedal.protocol.catalogue import say


class Grounds(Struct, frozen=True, kw_only=True):
    """What a transition may depend on."""

    has_approved_plan: bool
    coverage: CoverageReport
    is_operator: bool = False
    """The operator asks for it; that is the approval which `done` needs."""


class Move(Struct, frozen=True, kw_only=True):
    before: str
    """As it is on record, whatever that says."""
    after: Phase
    refusal: str | None = None
    """Why not, and what to do; None where it may be done."""

    @property
    def detail(self) -> dict[str, Any]:
        """What the record says about it beside the two phases."""
        return dict(_NOTES.get((self.before, self.after), {}))


_NOTES: dict[tuple[str, Phase], dict[str, str]] = {
    (Phase.IMPLEMENT, Phase.TEST): {"signal": "implementation complete"},
    (Phase.VERIFY, Phase.DONE): {"approval": "operator"},
}
_FORWARD = {
    Phase.PLANNING: Phase.IMPLEMENT,
    Phase.IMPLEMENT: Phase.TEST,
    Phase.TEST: Phase.VERIFY,
    Phase.VERIFY: Phase.DONE,
}
"""The one way on from a phase; back to planning leads from everywhere."""
_KNOWN = {str(phase): phase for phase in Phase}


def judge(before: str, after: Phase, grounds: Grounds) -> Move:
    return Move(before=before, after=after, refusal=_refusal(before, after, grounds))


def moves(before: str, grounds: Grounds) -> list[Move]:
    """What may come next, and what stands in the way of what would: refused steps that skip a phase are left out."""
    onward = _FORWARD.get(_KNOWN.get(before, Phase.IDLE))
    wanted = [onward, Phase.PLANNING] if onward is not None else [Phase.PLANNING]
    return [judge(before, after, grounds) for after in wanted if after != before]


def _refusal(before: str, after: Phase, grounds: Grounds) -> str | None:
    if after is Phase.PLANNING:
        return None
    if before == after:
        return say("phases.already", phase=after)
    known = _KNOWN.get(before)
    if known is None:
        return say("phases.unknown", before=before, after=after)
    onward = _FORWARD.get(known)
    if onward is not after:
        return _no_way(known, after, onward)
    match after:
        case Phase.IMPLEMENT if not grounds.has_approved_plan:
            return say("phases.no_plan")
        case Phase.VERIFY if not grounds.coverage.is_met:
            return say("phases.not_covered", lack=grounds.coverage.lack)
        case Phase.DONE if not grounds.is_operator:
            return say("phases.not_approved")
        case _:
            return None


def _no_way(before: Phase, after: Phase, onward: Phase | None) -> str:
    if onward is None:
        return say("phases.only_planning", before=before, after=after)
    if before is Phase.IMPLEMENT and after in (Phase.VERIFY, Phase.DONE):
        return say("phases.test_first", after=after)
    return say("phases.no_way", before=before, after=after, onward=onward)
