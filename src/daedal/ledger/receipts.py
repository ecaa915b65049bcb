"""How are receipts chained, and is the chain whole?

Each receipt's hash covers its own words and the hash before it, so that nothing can be changed, removed or put in
between without every later hash telling. The last link is read inside the write transaction: several processes share
one chain.
"""

import sqlite3
import time
from typing import Any

import msgspec
from msgspec import Struct

from daedal.ledger.payloads import to_object
from daedal.protocol.records import ReceiptIssued

_canonical = msgspec.json.Encoder(order="deterministic").encode


class ReceiptCheck(Struct, frozen=True, kw_only=True):
    count: int
    broken_at: int | None
    """The number of the first receipt that does not fit; None when the chain is whole."""


def store_receipt(connection: sqlite3.Connection, session_id: str, receipt: ReceiptIssued, body_json: str) -> None:
    """Appends a receipt. Runs inside the transaction of its commit; `body_json` is the body, already encoded."""
    row = connection.execute("SELECT hash FROM receipts ORDER BY id DESC LIMIT 1").fetchone()
    previous = row[0] if row else ""
    created_at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    words = (receipt.kind, session_id, receipt.turn_id, receipt.principal)
    digest = _digest(previous, *words, to_object(body_json), created_at)
    connection.execute(
        "INSERT INTO receipts(kind, session_id, turn_id, principal, body_json, prev_hash, hash, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*words, body_json, previous, digest, created_at),
    )


def check_receipts(connection: sqlite3.Connection) -> ReceiptCheck:
    """Walks the whole chain. A removed tail shows in the number that SQLite would give next."""
    count = connection.execute("SELECT COUNT(*) FROM receipts").fetchone()[0]
    previous, last = "", 0
    rows = connection.execute(
        "SELECT id, prev_hash, hash, kind, session_id, turn_id, principal, body_json, created_at"
        " FROM receipts ORDER BY id"
    )
    for number, prev_hash, found, *words in rows:
        if prev_hash != previous or found != _digest_stored(previous, words):
            return ReceiptCheck(count=count, broken_at=number)
        previous, last = found, number
    highest = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'receipts'").fetchone()
    is_cut_off = highest is not None and highest[0] != last
    return ReceiptCheck(count=count, broken_at=last + 1 if is_cut_off else None)


def _digest_stored(previous: str, words: list[Any]) -> str | None:
    *named, body_json, created_at = words
    try:
        return _digest(previous, *named, to_object(body_json), created_at)
    except (ValueError, TypeError):
        return None


def _digest(*words: Any) -> str:
    from hashlib import sha256

    return sha256(_canonical(words)).hexdigest()
