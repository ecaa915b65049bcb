"""How does a session leave the ledger? As JSON lines for programs, or as Markdown for people; never read back as truth.

Whatever looks like a secret is redacted on the way out.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from daedal.ledger.ledger import Ledger
from daedal.ledger.lookalikes import without_lookalikes
from daedal.ledger.markdown import markdown
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.records import StoredEntry, StoredSession

T = TypeVar("T", StoredSession, StoredEntry)


def export(ledger: Ledger, session_id: str, format: str) -> Iterator[str]:  # noqa: A002
    """The session with that id, or the only one that begins so, in pieces. Raises UsageError for an unknown one."""
    write = FORMATS.get(format)
    if write is None:
        raise UsageError(say("ledger.export_format", format=format, known=", ".join(FORMATS)))
    reader = ledger.reader
    session = reader.find_session(session_id)
    out = reader.rewound(session.session_id)
    entries = (reader.entry(session.session_id, row) for row in reader.entry_rows(session.session_id))
    return write(_redacted(session), (_redacted(entry) for entry in entries if entry.turn_id not in out))


def jsonl(session: StoredSession, entries: Iterator[StoredEntry]) -> Iterator[str]:
    """A line about the session, then one line per entry."""
    yield _line({"type": "session", "session": session})
    for entry in entries:
        yield _line(
            {
                "type": entry.entry_type,
                "sequence": entry.sequence,
                "created_at": entry.created_at,
                "turn": entry.turn_id,
                "payload": entry.payload,
            }
        )


FORMATS: dict[str, Callable[[StoredSession, Iterator[StoredEntry]], Iterator[str]]] = {
    "jsonl": jsonl,
    "markdown": markdown,
}


def _redacted(stored: T) -> T:
    fields = {name: without_lookalikes(getattr(stored, name)) for name in stored.__struct_fields__}
    return type(stored)(**fields)


def _line(value: dict[str, Any]) -> str:
    return msgspec.json.encode(value).decode() + "\n"
