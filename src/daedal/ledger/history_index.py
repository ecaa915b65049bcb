"""How does the search index of all transcripts keep up? It catches up when somebody searches, in small steps.

No commit of a turn pays for it. `history_indexed` says which entries are in: all from `low` to `high`. New entries are
taken from there upwards; what was written before there was an index is taken downwards, so that the newest can be
found first. A step is one short transaction of the ledger's writer; killed between two, nothing is lost or twice.
"""

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable
from typing import Any

from daedal.ledger.history_texts import KINDS, text_of
from daedal.ledger.queries import Row

STEP_ENTRIES = 400
STEP_BYTES_MAX = 1_000_000
"""Of payloads, so that a step is over in some hundredths of a second whatever the entries hold."""
LOOKING_BACK = (b'"name":"history"', b'"name":"memory"')
"""Calls that search, and what they brought: they would find themselves."""
_NAME_WITHIN = 200
_KINDS = ", ".join(f"'{kind}'" for kind in KINDS)
_ENTRIES = f"""
    SELECT e.id, e.entry_type, CAST(e.payload_json AS BLOB), CAST(e.extra_json AS BLOB), s.project_dir,
        CASE e.entry_type WHEN 'tool_result' THEN (
            SELECT CAST(substr(u.payload_json, 1, {_NAME_WITHIN}) AS BLOB) FROM transcript_entries u
            WHERE u.session_id = e.session_id AND u.tool_use_id = e.tool_use_id AND u.entry_type = 'tool_use'
        ) END
    FROM transcript_entries e JOIN sessions s ON s.session_id = e.session_id
"""  # noqa: S608
_UP = f"{_ENTRIES} WHERE e.id > ? AND e.entry_type IN ({_KINDS}) ORDER BY e.id LIMIT {STEP_ENTRIES}"
_DOWN = f"{_ENTRIES} WHERE e.id < ? AND e.entry_type IN ({_KINDS}) ORDER BY e.id DESC LIMIT {STEP_ENTRIES}"

Commit = Callable[[Callable[[sqlite3.Connection], None]], None]


def catch_up(commit: Commit, *, budget_s: float, is_over: Callable[[], bool]) -> None:
    """Step by step, until all is in, the time is up, or nobody waits for it any more."""
    until = time.monotonic() + budget_s
    is_behind = True

    def step(connection: sqlite3.Connection) -> None:
        nonlocal is_behind
        is_behind = index_some(connection)

    while is_behind and not is_over() and time.monotonic() < until:
        commit(step)


def index_some(connection: sqlite3.Connection) -> bool:
    """One step, inside a write transaction. Whether there may be more to do."""
    low, high = connection.execute("SELECT low, high FROM history_indexed").fetchone()
    rows = _some(connection.execute(_UP, (high,)))
    if rows:
        high = rows[-1][0]
    elif low > 1:
        rows = _some(connection.execute(_DOWN, (low,)))
        low = rows[-1][0] if rows else 1
    else:
        return False
    # Upwards always: FTS5 writes out what it has gathered whenever a number is lower than the one before.
    connection.executemany(
        "INSERT INTO history_fts(rowid, text, place) VALUES (?, ?, ?)", _documents(sorted(rows, key=lambda row: row[0]))
    )
    connection.execute("UPDATE history_indexed SET low = ?, high = ?", (low, high))
    return True


def place(project_dir: str) -> str:
    """The word that stands for a project in the index. Two may share one, so hits are looked at again."""
    return f"p{zlib.crc32(project_dir.encode('utf-8', 'replace')):08x}"


def _some(rows: Iterable[Row]) -> list[Row]:
    """As many as one step takes, at least one."""
    taken: list[Row] = []
    room = STEP_BYTES_MAX
    for row in rows:
        taken.append(row)
        room -= len(row[2])
        if room <= 0:
            break
    return taken


def _documents(rows: Iterable[Row]) -> Iterable[tuple[int, str, str]]:
    for number, kind, payload, extra, project, called in rows:
        if _looks_back(payload[:_NAME_WITHIN] if kind == "tool_use" else called):
            continue
        text = text_of(kind, payload, extra)
        if text:
            yield number, text, place(_folder(project))


def _folder(project: Any) -> str:
    return project if isinstance(project, str) else ""


def _looks_back(call: bytes | None) -> bool:
    return call is not None and any(name in call for name in LOOKING_BACK)
