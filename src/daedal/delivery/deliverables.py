"""What is a deliverable, and what may become of it? The rules of the status file, without the file."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

ID = re.compile(r"[A-Z][A-Z0-9]{0,15}-[0-9]{3,6}")
TEXT_MAX = 2_000
CRITERIA_MAX = 50
DELIVERABLES_MAX = 2_000


class Status(StrEnum):
    PENDING = "pending"
    PASSED = "passed"
    BLOCKED = "blocked"


class Deliverable(Struct, rename="camel", frozen=True, kw_only=True):
    """One unit of the specification, as it stands in the file."""

    id: str
    description: str
    acceptance_criteria: list[str]
    passed: bool = False
    blocked: bool = False
    deprecated_at: str | UnsetType = UNSET
    """The day on which it left the specification."""

    @property
    def status(self) -> Status:
        return Status.PASSED if self.passed else Status.BLOCKED if self.blocked else Status.PENDING

    @property
    def is_active(self) -> bool:
        return self.deprecated_at is UNSET

    def with_status(self, status: Status) -> "Deliverable":
        return replace(self, passed=status is Status.PASSED, blocked=status is Status.BLOCKED)


class Board(Struct, rename="camel", frozen=True, kw_only=True):
    """All deliverables: the contents of the status file."""

    created_at: str
    updated_at: str
    deliverables: list[Deliverable] = []

    def active(self) -> list[Deliverable]:
        return [one for one in self.deliverables if one.is_active]

    def find(self, deliverable_id: str) -> Deliverable | None:
        return next((one for one in self.deliverables if one.id == deliverable_id), None)

    def count(self, status: Status) -> int:
        return sum(one.status is status for one in self.active())


class Refused(Exception):
    """What was asked for breaks a rule; the text tells the model what to do instead."""


def empty(today: str) -> Board:
    return Board(created_at=today, updated_at=today)


def with_new(board: Board, wanted: Sequence[Deliverable], today: str) -> Board:
    """All of them or none."""
    if not wanted:
        raise Refused("no deliverable was given: list at least one with id, description and acceptanceCriteria")
    if len(board.deliverables) + len(wanted) > DELIVERABLES_MAX:
        raise Refused(f"there would be more than {DELIVERABLES_MAX} deliverables: make fewer, larger ones")
    known = {one.id for one in board.deliverables}
    for one in wanted:
        if one.id in known:
            raise Refused(f"the id {one.id} is taken; ids never change and are never used again: choose another")
        known.add(one.id)
        _check(one)
    fresh = [
        Deliverable(id=one.id, description=one.description, acceptance_criteria=one.acceptance_criteria)
        for one in wanted
    ]
    return replace(board, deliverables=[*board.deliverables, *fresh], updated_at=today)


def _check(one: Deliverable) -> None:
    if not ID.fullmatch(one.id):
        raise Refused(f"{one.id!r} is no id: write TYPE-NNN, for instance UI-001 or API-042")
    if not one.description.strip():
        raise Refused(f"{one.id} has no description")
    if not one.acceptance_criteria:
        raise Refused(f"{one.id} has no acceptance criteria: say what can be checked when it is done")
    if len(one.acceptance_criteria) > CRITERIA_MAX:
        raise Refused(f"{one.id} has more than {CRITERIA_MAX} acceptance criteria: split it into several deliverables")
    if not all(criterion.strip() for criterion in one.acceptance_criteria):
        raise Refused(f"{one.id} has an empty acceptance criterion")
    if any(len(text) > TEXT_MAX for text in (one.description, *one.acceptance_criteria)):
        raise Refused(f"a text of {one.id} is longer than {TEXT_MAX} characters: say it shorter")


def with_status(board: Board, deliverable_id: str, status: Status, today: str) -> Board:
    one = known(board, deliverable_id)
    if not one.is_active:
        raise Refused(f"{deliverable_id} is deprecated: it left the specification, so nothing is to be done for it")
    if status is Status.BLOCKED and one.passed:
        raise Refused(
            f"{deliverable_id} has passed, and what has passed cannot be blocked. If it is broken now, set it to "
            "pending first."
        )
    return _replaced(board, one.with_status(status), today)


def deprecated(board: Board, deliverable_id: str, today: str) -> Board:
    one = known(board, deliverable_id)
    return board if not one.is_active else _replaced(board, replace(one, deprecated_at=today), today)


def known(board: Board, deliverable_id: str) -> Deliverable:
    one = board.find(deliverable_id)
    if one is None:
        near = ", ".join(each.id for each in board.deliverables[:5])
        raise Refused(f"there is no deliverable {deliverable_id!r}; the first ones are: {near or 'none'}. Use `list`.")
    return one


def _replaced(board: Board, one: Deliverable, today: str) -> Board:
    kept = [one if each.id == one.id else each for each in board.deliverables]
    return replace(board, deliverables=kept, updated_at=today)


def flaws(deliverables: Iterable[Deliverable]) -> list[str]:
    """What breaks the rules in a file that somebody else may have written."""
    found: list[str] = []
    seen: set[str] = set()
    for one in deliverables:
        if one.id in seen:
            found.append(f"{one.id} stands there twice")
        seen.add(one.id)
        if one.passed and one.blocked:
            found.append(f"{one.id} is passed and blocked at once")
        if not ID.fullmatch(one.id):
            found.append(f"{one.id[:40]!r} is no id")
    return found
