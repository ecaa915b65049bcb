"""Is what passed still true? Whatever was changed since is verified again; what does not hold goes back to pending."""

import asyncio

from daedal.delivery.auditing import ReceiptAuditor
from daedal.delivery.deliverables import Status, with_status
from daedal.delivery.journal import Journal
from daedal.delivery.plan import Terms
from daedal.delivery.progress import DeliverableChanged, Tell
from daedal.delivery.rechecking import Checked, recheck
from daedal.delivery.session import Open
from daedal.delivery.status_file import StatusFile, today


class Reviewer:
    def __init__(
        self,
        terms: Terms,
        *,
        open_hands: Open,
        file: StatusFile,
        journal: Journal,
        auditor: ReceiptAuditor,
        tell: Tell,
        stop: asyncio.Event,
    ) -> None:
        """`open_hands` opens an engine that runs commands by itself: another may run those of its own model only."""
        self._terms = terms
        self._open_hands = open_hands
        self._file = file
        self._journal = journal
        self._auditor = auditor
        self._tell = tell
        self._stop = stop

    async def holds(self, *, time_left_s: float | None) -> bool:
        """Whether everything that passed passes still. False too where it was stopped before that was known."""
        board = self._file.read()
        stale = await self._auditor.stale(board) if board is not None else []
        if not stale:
            return True
        for one in stale:
            self._tell(DeliverableChanged(id=one.id, description=one.description, change="stale"))
        proofs = self._journal.now.proofs
        pairs = [(one, proofs[one.id]) for one in stale]
        checked = await recheck(self._open_hands, self._terms, pairs, self._stop, time_left_s=time_left_s)
        if checked is None:
            return False
        for one in checked:
            if not one.failure:
                await self._auditor.confirmed(one.deliverable, one.ran)
                key, description = one.deliverable.id, one.deliverable.description
                self._tell(DeliverableChanged(id=key, description=description, change="confirmed"))
        failed = [one for one in checked if one.failure]
        self._put_back(failed)
        return not failed

    def _put_back(self, failed: list[Checked]) -> None:
        for one in failed:
            board = self._file.read()
            if board is None:
                return
            key = one.deliverable.id
            self._file.write(with_status(board, key, Status.PENDING, today()))
            self._journal.unproved(key)
            self._journal.learned(f"{key} had passed and is broken by a later edit: {one.failure}")
            self._tell(DeliverableChanged(id=key, description=one.deliverable.description, change="pending"))
