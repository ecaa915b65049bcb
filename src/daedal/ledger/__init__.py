"""What is kept? The only room that opens SQLite: schema, one writer, transcript, audit chain, leases, exports."""

from typing import TYPE_CHECKING, Any

from daedal.ledger.errors import PhaseMoved
from daedal.ledger.lease import SessionLease
from daedal.ledger.ledger import Ledger
from daedal.ledger.reader import Reader
from daedal.ledger.receipts import ReceiptCheck
from daedal.ledger.schema import SCHEMA_VERSION
from daedal.ledger.stored import (
    DecidedCall,
    Finding,
    StoredCall,
    StoredConversation,
    StoredEvent,
    StoredHookRun,
    StoredVerdict,
)

if TYPE_CHECKING:
    from daedal.ledger.exports import export
    from daedal.ledger.lookalikes import without_lookalikes

__all__ = [
    "SCHEMA_VERSION",
    "DecidedCall",
    "Finding",
    "Ledger",
    "PhaseMoved",
    "Reader",
    "ReceiptCheck",
    "SessionLease",
    "StoredCall",
    "StoredConversation",
    "StoredEvent",
    "StoredHookRun",
    "StoredVerdict",
    "export",
    "without_lookalikes",
]

_LOADED_WHEN_USED = {"export": "exports", "without_lookalikes": "lookalikes"}


def __getattr__(name: str) -> Any:
    """What no turn needs is not loaded on the way to the first request."""
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LOADED_WHEN_USED[name]}"), name)
