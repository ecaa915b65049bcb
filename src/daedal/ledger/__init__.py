"""What is kept? The only room that opens SQLite: schema, one writer, transcript, audit chain, leases, exports."""

from typing import TYPE_CHECKING

from daedal.ledger.errors import PhaseMoved
from daedal.ledger.ledger import Ledger, ledger_files
from daedal.ledger.receipts import ReceiptCheck
from daedal.ledger.schema import SCHEMA_VERSION
from daedal.ledger.stored import (
    DecidedCall,
    Finding,
    StoredCall,
    StoredEvent,
    StoredHookRun,
    StoredPlan,
    StoredVerdict,
)
from daedal.protocol.records import StoredConversation
from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.ledger.exports import export
    from daedal.ledger.history import HistoryEntry, HistoryFound
    from daedal.ledger.lookalikes import without_lookalikes
    from daedal.ledger.memories import Memories
    from daedal.ledger.memories_drafts import MemoryDraft, MemoryRefused
    from daedal.ledger.memories_stored import ArchivedMemory, StoredMemory, moment
    from daedal.ledger.ranking import words

__all__ = [
    "SCHEMA_VERSION",
    "ArchivedMemory",
    "DecidedCall",
    "Finding",
    "HistoryEntry",
    "HistoryFound",
    "Ledger",
    "Memories",
    "MemoryDraft",
    "MemoryRefused",
    "PhaseMoved",
    "ReceiptCheck",
    "StoredCall",
    "StoredConversation",
    "StoredEvent",
    "StoredHookRun",
    "StoredMemory",
    "StoredPlan",
    "StoredVerdict",
    "export",
    "ledger_files",
    "moment",
    "without_lookalikes",
    "words",
]

_FILES = {
    "ArchivedMemory": "memories_stored",
    "HistoryEntry": "history",
    "HistoryFound": "history",
    "Memories": "memories",
    "MemoryDraft": "memories_drafts",
    "MemoryRefused": "memories_drafts",
    "StoredMemory": "memories_stored",
    "export": "exports",
    "moment": "memories_stored",
    "without_lookalikes": "lookalikes",
    "words": "ranking",
}

__getattr__ = loaded_when_used(__name__, _FILES)
"""What no turn needs is not loaded on the way to the first request."""
