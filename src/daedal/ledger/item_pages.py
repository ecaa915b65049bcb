"""Which rows make a page of a session's items? Found by index, so that a page costs the same wherever it lies.

A row that a person said, a model said, a call or a fold is an item. What belongs to one lies before it (images of a
prompt), or is found by its call (the result).
"""

from typing import NamedTuple

from msgspec.json import encode

from daedal.ledger.queries import Row
from daedal.ledger.reader import BEYOND, ENTRY_COLUMNS, Reader
from daedal.protocol.records import EntryType, StoredEntry

_ITEMS = (
    " FROM transcript_entries WHERE session_id = ?"
    " AND (entry_type IN ('user', 'tool_use', 'collapse_commit')"
    # What only calls something is shown as its calls.
    """ OR (entry_type = 'assistant' AND instr(payload_json, '"type":"text"')))"""
    " AND turn_id NOT IN (SELECT value FROM json_each(?))"
)


class Page(NamedTuple):
    entries: list[StoredEntry]
    offset: int
    total: int


def item_page(reader: Reader, session_id: str, *, before: str | None, after: str | None, limit: int) -> Page | None:
    """The last ones where nothing is named, the first ones where `after` is empty.

    None where the item that was named is not of this session.
    """
    known = before or after
    at = _sequence(reader, session_id, known) if known else None
    if known and at is None:
        return None
    is_forward = before is None and after is not None
    low, high = (-1 if at is None else at, BEYOND) if is_forward else (-1, BEYOND if at is None else at)
    where = (session_id, encode(sorted(reader.rewound(session_id))).decode())
    rows = reader.rows(
        f"SELECT sequence{_ITEMS} AND sequence > ? AND sequence < ?"
        f" ORDER BY sequence {'ASC' if is_forward else 'DESC'} LIMIT ?",
        (*where, low, high, limit + 1),
    )
    # The one beyond the page is its border: what lies between belongs to the item after it.
    if len(rows) > limit:
        low, high = (low, rows[limit][0]) if is_forward else (rows[limit][0], high)
    [(offset, total)] = reader.rows(f"SELECT COALESCE(SUM(sequence <= ?), 0), COUNT(*){_ITEMS}", (low, *where))
    return Page(_entries(reader, where, low, high), offset, total)


def _sequence(reader: Reader, session_id: str, item_id: str) -> int | None:
    """Calls are found by an index; what was said, by its text."""
    rows = reader.rows(
        "SELECT sequence FROM transcript_entries WHERE session_id = ? AND tool_use_id = ? AND entry_type = 'tool_use'",
        (session_id, item_id),
    ) or reader.rows(
        "SELECT sequence FROM transcript_entries WHERE session_id = ?"
        " AND entry_type IN ('user', 'assistant', 'collapse_commit') AND instr(payload_json, ?)",
        (session_id, f'"uuid":{encode(item_id).decode()}'),
    )
    return rows[0][0] if rows else None


def _entries(reader: Reader, where: tuple[str, str], low: int, high: int) -> list[StoredEntry]:
    session_id, gone = where
    rows = reader.rows(
        f"SELECT {ENTRY_COLUMNS} FROM transcript_entries"  # noqa: S608 - columns of ours
        " WHERE session_id = ? AND sequence > ? AND sequence < ? AND entry_type != 'tool_result'"
        " AND turn_id NOT IN (SELECT value FROM json_each(?)) ORDER BY sequence",
        (session_id, low, high, gone),
    )
    calls = [row[4] for row in rows if row[1] == EntryType.TOOL_USE]
    results = _results(reader, session_id, low, calls) if calls else []
    return [reader.entry(session_id, row) for row in sorted([*rows, *results], key=lambda row: row[0])]


def _results(reader: Reader, session_id: str, low: int, calls: list[str]) -> list[Row]:
    """They may lie behind the page, but never far: the search ends with the last one."""
    return reader.rows(
        f"SELECT {ENTRY_COLUMNS} FROM transcript_entries"  # noqa: S608 - columns of ours
        " WHERE session_id = ? AND sequence > ? AND entry_type = 'tool_result'"
        " AND tool_use_id IN (SELECT value FROM json_each(?)) ORDER BY sequence LIMIT ?",
        (session_id, low, encode(calls).decode(), len(calls)),
    )
