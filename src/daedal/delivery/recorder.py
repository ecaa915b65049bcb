"""How does a change of the board go on the record? The intent before the file is replaced, its digest afterwards.

File and ledger cannot share a commit; so a crash in between leaves an intent without a confirmation, and the digest of
the last confirmed file tells at the next start whether somebody else has changed it.
"""

import os
from typing import Any

from daedal.config import database_path
from daedal.delivery.evidence import Proof, Ran
from daedal.ledger import Ledger
from daedal.protocol.records import Happened, ReceiptIssued, Record

PRINCIPAL = "driver:delivery"
RECEIPTS_MAX = 5_000


class Recorder:
    """Writes into the session that is at work; before there is one, nothing can change."""

    def __init__(self) -> None:
        self._ledger: Ledger | None = None
        self._thread_id = ""
        self._turn_id = ""

    def at(self, thread_id: str, turn_id: str) -> None:
        self._thread_id, self._turn_id = thread_id, turn_id

    async def intended(self, detail: dict[str, Any]) -> None:
        """Raises LedgerError."""
        await self._commit(Happened(event_type="DeliverableIntended", detail=detail))

    async def confirmed(self, detail: dict[str, Any]) -> None:
        await self._commit(Happened(event_type="DeliverableChanged", detail=detail))

    async def proved(self, deliverable_id: str, proof: Proof) -> None:
        """A receipt of its own, in the chain with those of the commands."""
        body = {
            "deliverable": deliverable_id,
            "tree": proof.tree,
            "commands": [
                {"command": ran.command, "exit_code": ran.exit_code, "receipt": ran.receipt} for ran in proof.receipts
            ],
        }
        await self._commit(ReceiptIssued(kind="deliverable", turn_id=self._turn_id, principal=PRINCIPAL, body=body))

    def receipts_of(self, ran: list[Ran]) -> dict[str, str]:
        """Hashes of the receipts that the engine issued for these commands, by the call's id."""
        found: dict[str, str] = {}
        if not self._opened():
            return found
        for thread_id in {one.thread_id for one in ran if one.thread_id}:
            for receipt in self._ledger_now().receipts(session_id=thread_id, limit=RECEIPTS_MAX):
                if receipt.kind == "command":
                    found[str(receipt.body.get("tool_use_id"))] = receipt.hash
        return found

    def close(self) -> None:
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    async def _commit(self, *records: Record) -> None:
        if self._thread_id:
            await self._ledger_now().commit(self._thread_id, records)

    def _opened(self) -> bool:
        return os.path.exists(database_path())

    def _ledger_now(self) -> Ledger:
        if self._ledger is None:
            self._ledger = Ledger.open(database_path())
        return self._ledger
