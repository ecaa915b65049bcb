"""What can a session do with deliverables? The tools of its instruction, each with what the model is told of it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from daedal.delivery.deliverables import (
    Board,
    Deliverable,
    Refused,
    Status,
    deprecated,
    empty,
    known,
    with_new,
    with_status,
)
from daedal.delivery.evidence import Claim
from daedal.delivery.progress import DeliverableChanged, Tell
from daedal.delivery.recorder import Recorder
from daedal.delivery.status_file import StatusFile, today
from daedal.delivery.tool_infos import LIMIT, LIMIT_MAX, ToolInfo, infos
from daedal.delivery.workflow import TOOLS, Instruction


class Wanted(Struct, rename="camel", frozen=True, forbid_unknown_fields=True):
    id: str
    description: str
    acceptance_criteria: list[str]


class CreateCall(Struct, frozen=True, forbid_unknown_fields=True):
    deliverables: list[Wanted]


class StatusCall(Struct, rename="camel", frozen=True, forbid_unknown_fields=True):
    deliverable_id: str
    status: Status
    evidence: list[Claim] = []


class IdCall(Struct, rename="camel", frozen=True, forbid_unknown_fields=True):
    deliverable_id: str


class Filter(Struct, frozen=True, forbid_unknown_fields=True):
    status: Status | None = None
    verified: bool | None = None


class ListCall(Struct, frozen=True, forbid_unknown_fields=True):
    filter: Filter = Filter()
    limit: int = LIMIT
    offset: int = 0


class Auditor:
    """Who judges a claim that something passed? This one believes it."""

    needs_evidence = False

    async def accept(self, deliverable: Deliverable, claims: list[Claim]) -> None:
        """Raises Refused with what is missing."""

    def forget(self, deliverable_id: str) -> None:
        """It does not count as passed any more."""


class Toolkit:
    """The tools of one session. Calls are answered one after the other."""

    def __init__(
        self,
        instruction: Instruction,
        file: StatusFile,
        *,
        auditor: Auditor,
        verified: set[str],
        tell: Tell,
        recorder: Recorder,
    ) -> None:
        self.names = TOOLS[instruction]
        self._is_verifying = "verify" in self.names
        self._file = file
        self._auditor = auditor
        self._verified = verified
        self._tell = tell
        self._recorder = recorder
        self._lock = asyncio.Lock()
        """One read, one change, one write: two calls at once would lose one of them."""
        self._calls: dict[str, Callable[[Any], Awaitable[str]]] = {
            "create": self._create,
            "set_status": self._set_status,
            "deprecate": self._deprecate,
            "verify": self._verify,
            "list": self._list,
        }

    def infos(self) -> list[ToolInfo]:
        return [
            info
            for info in infos(verifying=self._is_verifying, evidence=self._auditor.needs_evidence)
            if info.name in self.names
        ]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Raises Refused."""
        if name not in self.names:
            raise Refused(f"there is no tool {name!r} in this session; there is: {', '.join(self.names)}")
        async with self._lock:
            try:
                return await self._calls[name](dict(arguments))
            except msgspec.ValidationError as error:
                raise Refused(f"the arguments of {name} are wrong: {error}") from error

    async def _create(self, arguments: Any) -> str:
        call = msgspec.convert(arguments, CreateCall)
        board = self._file.read() or empty(today())
        wanted = [
            Deliverable(id=one.id, description=one.description, acceptance_criteria=one.acceptance_criteria)
            for one in call.deliverables
        ]
        after = with_new(board, wanted, today())
        await self._write(after, {"created": [one.id for one in wanted]})
        for one in wanted:
            self._changed(one, "created")
        return f"{len(wanted)} created; {len(board.deliverables) + len(wanted)} in all."

    async def _set_status(self, arguments: Any) -> str:
        call = msgspec.convert(arguments, StatusCall)
        before = self._board()
        after = with_status(before, call.deliverable_id, call.status, today())
        one = known(after, call.deliverable_id)
        if call.status is Status.PASSED:
            await self._auditor.accept(one, call.evidence)
        await self._write(after, {"deliverable": one.id, "status": str(call.status)})
        if call.status is not Status.PASSED:
            # Only now: killed in between, something would have passed that nothing proves.
            self._auditor.forget(one.id)
        self._changed(one, str(call.status))
        left = after.count(Status.PENDING)
        return f"{one.id} is {call.status}. {left} of {len(after.active())} still pending."

    async def _deprecate(self, arguments: Any) -> str:
        call = msgspec.convert(arguments, IdCall)
        after = deprecated(self._board(), call.deliverable_id, today())
        await self._write(after, {"deliverable": call.deliverable_id, "status": "deprecated"})
        self._changed(known(after, call.deliverable_id), "deprecated")
        return f"{call.deliverable_id} is deprecated; its record is kept."

    async def _verify(self, arguments: Any) -> str:
        call = msgspec.convert(arguments, IdCall)
        board = self._board()
        one = known(board, call.deliverable_id)
        if not one.is_active:
            raise Refused(f"{one.id} is deprecated: it is not to be verified")
        self._verified.add(one.id)
        self._changed(one, "verified")
        left = [each.id for each in board.active() if each.id not in self._verified]
        return f"{one.id} is verified. {len(left)} left{': ' + ', '.join(left[:LIMIT]) if left else ''}."

    async def _list(self, arguments: Any) -> str:
        call = msgspec.convert(arguments, ListCall)
        if call.filter.verified is not None and not self._is_verifying:
            raise Refused("`verified` can be asked for only while verifying: leave it out")
        if not 1 <= call.limit <= LIMIT_MAX or call.offset < 0:
            raise Refused(f"limit is a number from 1 to {LIMIT_MAX}, offset one from 0 on")
        board = self._board()
        found = [
            one
            for one in board.active()
            if call.filter.status in (None, one.status) and call.filter.verified in (None, one.id in self._verified)
        ]
        page = found[call.offset : call.offset + call.limit]
        end = call.offset + len(page)
        shown: dict[str, Any] = {
            "deliverables": [self._row(one) for one in page],
            "total": len(found),
            "summary": {str(status): board.count(status) for status in Status},
        }
        if end < len(found):
            shown["next"] = {"offset": end}
        return msgspec.json.encode(shown).decode()

    def _row(self, one: Deliverable) -> dict[str, Any]:
        row: dict[str, Any] = {
            "id": one.id,
            "description": one.description,
            "acceptanceCriteria": one.acceptance_criteria,
            "status": str(one.status),
        }
        return row | {"verified": one.id in self._verified} if self._is_verifying else row

    async def _write(self, board: Board, detail: dict[str, Any]) -> None:
        """Raises LedgerError or ConfigurationError; then nothing was changed."""
        await self._recorder.intended(detail)
        await self._recorder.confirmed({**detail, "sha256": self._file.write(board)})

    def _board(self) -> Board:
        board = self._file.read()
        if board is None:
            raise Refused("there are no deliverables yet")
        return board

    def _changed(self, one: Deliverable, change: str) -> None:
        self._tell(DeliverableChanged(id=one.id, description=one.description, change=change))
