"""What is remembered beyond one session? Memories: written, corrected, found again by rank, put away when stale.

The table is that of section 4.3; its search index follows every write by triggers (docs/decisions/0009). A memory that
is forgotten leaves the table and its index, and is kept in `memories_archived`, where people can still read it.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from daedal.ledger.connection import BUSY_TIMEOUT_MS, open_reading
from daedal.ledger.memories_drafts import MemoryDraft, MemoryRefused, checked, refuse_twin
from daedal.ledger.memories_stored import ARCHIVED_COLUMNS, COLUMNS, ArchivedMemory, StoredMemory, archived, stored
from daedal.ledger.queries import Queries, Row
from daedal.ledger.ranking import above_floor, readings
from daedal.ledger.writer import Writer
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError

_CANDIDATES_MAX = 5
_WEIGHTS = "4.0, 1.0, 3.0, 2.0"
"""Of title, content, keywords, anticipated_queries: what was written to be found by counts for more."""


_COLUMNS = ", ".join(f"m.{column}" for column in COLUMNS)
_SELECT = f"SELECT {_COLUMNS} FROM memories m"  # noqa: S608
_SCOPED = "(?1 IS NULL OR m.project_scope IS NULL OR m.project_scope IN ('', ?1))"
_RANKED = f"""
    SELECT bm25(memories_fts, {_WEIGHTS}) AS score, {_COLUMNS}
    FROM memories_fts
    JOIN memories_indexed i ON i.fts_rowid = memories_fts.rowid
    JOIN memories m ON m.id = i.memory_id
    WHERE memories_fts MATCH ?2 AND {_SCOPED}
    ORDER BY score, m.attention_score DESC, m.updated_at DESC, m.id LIMIT ?3
"""  # noqa: S608


class Memories:
    """Read by any thread, through a connection of its own; written by the ledger's one writer."""

    def __init__(self, path: str, writing: Callable[[], Writer]) -> None:
        self._queries = Queries(path, lambda: open_reading(path, BUSY_TIMEOUT_MS))
        self._writing = writing
        # One question at a time: a tool asks from a thread of its own.
        self._lock = Lock()

    def search(self, query: str, *, project: str | None = None, limit: int) -> list[StoredMemory]:
        """The best first, without those that are far worse. `project` leaves out what belongs to other projects."""
        for wanted in readings(query):
            rows = self._rows(_RANKED, (project, " OR ".join(wanted), limit))
            if rows:
                return above_floor([(row[0], stored(row[1:])) for row in rows])
        return []

    def listed(self, *, project: str | None = None, limit: int) -> list[StoredMemory]:
        """What changed last first."""
        rows = self._rows(
            f"{_SELECT} WHERE {_SCOPED} ORDER BY m.updated_at DESC, m.rowid DESC LIMIT ?2", (project, limit)
        )
        return [stored(row) for row in rows]

    def archived(self, *, limit: int) -> list[ArchivedMemory]:
        """What was forgotten last first."""
        rows = self._rows(
            f"SELECT {', '.join(ARCHIVED_COLUMNS)} FROM memories_archived ORDER BY number DESC LIMIT ?",  # noqa: S608
            (limit,),
        )
        return [archived(row) for row in rows]

    def get(self, memory_id: str) -> StoredMemory | None:
        rows = self._rows(f"{_SELECT} WHERE m.id = ?", (memory_id,))
        return stored(rows[0]) if rows else None

    def find(self, prefix: str) -> StoredMemory | ArchivedMemory:
        """The one whose id is this or begins like this, forgotten ones last. Raises MemoryRefused."""
        like = "id >= ?1 AND id < ?1 || char(0x10FFFF) ORDER BY id LIMIT ?2"
        rows = self._rows(f"SELECT {', '.join(COLUMNS)} FROM memories WHERE {like}", (prefix, _CANDIDATES_MAX + 1))  # noqa: S608
        found = [stored(row) for row in rows]
        if prefix and found and (found[0].id == prefix or len(found) == 1):
            return found[0]
        if prefix and found:
            listed = ", ".join(one.id for one in found[:_CANDIDATES_MAX])
            raise MemoryRefused(say("ledger.memory_ambiguous", prefix=prefix, candidates=listed))
        rows = self._rows(
            f"SELECT {', '.join(ARCHIVED_COLUMNS)} FROM memories_archived WHERE id = ? ORDER BY number DESC LIMIT 1",  # noqa: S608
            (prefix,),
        )
        if rows:
            return archived(rows[0])
        raise MemoryRefused(say("ledger.memory_unknown", id=prefix))

    async def remember(self, draft: MemoryDraft, *, session_id: str = "") -> StoredMemory:
        """Keeps a new one. Raises MemoryRefused where one of this title is kept for the same place already."""
        given = checked(draft)
        if not given.get("title"):
            raise MemoryRefused(say("ledger.memory_untitled"))
        memory_id, now = f"m-{os.urandom(6).hex()}", int(time.time())
        row: dict[str, Any] = {"type": "project", **given, "id": memory_id, "created_at": now, "updated_at": now}
        names = ", ".join(row)
        insert = f"INSERT INTO memories({names}) VALUES ({', '.join('?' * len(row))})"  # noqa: S608

        def store(connection: sqlite3.Connection) -> None:
            refuse_twin(connection, row["title"], row.get("project_scope"), memory_id)
            connection.execute(insert, tuple(row.values()))

        await self._writing().commit(session_id, store)
        return self._kept(memory_id)

    async def correct(self, memory_id: str, draft: MemoryDraft, *, session_id: str = "") -> StoredMemory:
        """Changes what the draft names. Raises MemoryRefused where there is no such memory, or nothing is named."""
        given = checked(draft)
        if not given or given.get("title") == "":
            raise MemoryRefused(say("ledger.memory_untitled" if given else "ledger.memory_unchanged"))
        changes = ", ".join(f"{name} = ?" for name in given)
        update = (
            f"UPDATE memories SET {changes}, updated_at = ?,"  # noqa: S608
            " correction_count = coalesce(correction_count, 0) + 1 WHERE id = ?"
        )

        def store(connection: sqlite3.Connection) -> None:
            before = connection.execute(
                "SELECT title, project_scope FROM memories WHERE id = ?", (memory_id,)
            ).fetchone()
            if before is None:
                raise MemoryRefused(say("ledger.memory_unknown", id=memory_id))
            title, scope = given.get("title", before[0]), given.get("project_scope", before[1])
            refuse_twin(connection, title, scope, memory_id)
            connection.execute(update, (*given.values(), int(time.time()), memory_id))

        await self._writing().commit(session_id, store)
        return self._kept(memory_id)

    async def forget(self, memory_id: str, *, session_id: str = "") -> ArchivedMemory:
        """Takes it out of the table and its index, into the archive. Raises MemoryRefused where there is none."""
        columns = ", ".join(COLUMNS)

        def store(connection: sqlite3.Connection) -> None:
            kept = connection.execute(
                f"INSERT INTO memories_archived({columns}, archived_at)"  # noqa: S608
                f" SELECT {columns}, ? FROM memories WHERE id = ?",
                (int(time.time()), memory_id),
            )
            if kept.rowcount != 1:
                raise MemoryRefused(say("ledger.memory_unknown", id=memory_id))
            connection.execute("DELETE FROM memories WHERE id = ?", (memory_id,))

        await self._writing().commit(session_id, store)
        forgotten = self.archived_as(memory_id)
        if forgotten is None:
            raise LedgerError(say("ledger.memory_unknown", id=memory_id))
        return forgotten

    def archived_as(self, memory_id: str) -> ArchivedMemory | None:
        rows = self._rows(
            f"SELECT {', '.join(ARCHIVED_COLUMNS)} FROM memories_archived WHERE id = ? ORDER BY number DESC LIMIT 1",  # noqa: S608
            (memory_id,),
        )
        return archived(rows[0]) if rows else None

    async def note_use(self, memory_id: str, *, session_id: str = "") -> None:
        """Somebody read it whole."""
        statement = "UPDATE memories SET last_accessed = ?, access_count = coalesce(access_count, 0) + 1 WHERE id = ?"
        values = (int(time.time()), memory_id)
        await self._writing().commit(session_id, lambda connection: connection.execute(statement, values) and None)

    def close(self) -> None:
        with self._lock:
            self._queries.close()

    def _kept(self, memory_id: str) -> StoredMemory:
        memory = self.get(memory_id)
        if memory is None:
            raise LedgerError(say("ledger.memory_unknown", id=memory_id))
        return memory

    def _rows(self, statement: str, values: Row) -> list[Row]:
        with self._lock:
            return self._queries.rows(statement, values)
