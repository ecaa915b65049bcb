"""What was said and done in any session? Ranked search over all transcripts, and what stands around a hit.

Search looks only at the entries that contain the rarer words of the question and ranks those by all of them, so it
takes as long with a hundred thousand entries as with a thousand. A question of common words alone is answered by the
newest entries that contain them all: rank would tell them apart by length only.
"""

from collections.abc import Callable, Sequence
from threading import Lock

from msgspec import Struct

from daedal.ledger.connection import BUSY_TIMEOUT_MS, open_reading
from daedal.ledger.history_index import catch_up, place
from daedal.ledger.history_texts import KINDS, text_of
from daedal.ledger.queries import Queries, Row
from daedal.ledger.ranking import above_floor, readings
from daedal.ledger.writer import Writer
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError, UsageError

CATCH_UP_S = 2.0
"""So long a search waits for the index at most; the next one goes on from there."""
_RARE_MAX = 2_000
"""A word in more entries than this is a common one."""
_RANKED_MAX = 3_000
_COMMON_MAX = 2
"""So many common words also count for the rank; each costs a look at all entries that have it."""
_AT_ONCE = 256
_KINDS = ", ".join(f"'{kind}'" for kind in KINDS)
_BEHIND = f"""
    SELECT 1 FROM history_indexed WHERE low > 1
        OR EXISTS (SELECT 1 FROM transcript_entries WHERE id > high AND entry_type IN ({_KINDS}))
"""  # noqa: S608
_ENTRY = """
    SELECT e.id, e.session_id, e.sequence, e.entry_type, CAST(e.payload_json AS BLOB), CAST(e.extra_json AS BLOB),
        e.created_at, s.project_dir
    FROM transcript_entries e JOIN sessions s ON s.session_id = e.session_id
"""


_HOME = "SELECT e.id, s.project_dir FROM transcript_entries e JOIN sessions s ON s.session_id = e.session_id"


class HistoryEntry(Struct, frozen=True, kw_only=True):
    """Something that was said or done."""

    id: int
    """By which it is found again, in all sessions."""
    session_id: str
    sequence: int
    kind: str
    """`user`, `assistant`, `tool_use` or `tool_result`."""
    text: str
    created_at: str
    project_dir: str


class HistoryFound(Struct, frozen=True, kw_only=True):
    entries: list[HistoryEntry]
    """The best first."""
    is_complete: bool
    """Whether all there is was searched; otherwise the oldest part was not indexed yet."""


class History:
    """Read by any thread, through a connection of its own."""

    def __init__(self, path: str, writing: Callable[[], Writer] | None) -> None:
        """Without `writing` it searches what is indexed already."""
        self._queries = Queries(path, lambda: open_reading(path, BUSY_TIMEOUT_MS))
        self._writing = writing
        # One question at a time: several may come from threads of their own.
        self._lock = Lock()

    def search(
        self, query: str, *, project: str | None = None, limit: int, is_over: Callable[[], bool] = lambda: False
    ) -> HistoryFound:
        """Entries that speak of it; of one project, or of all. May take `CATCH_UP_S`, less once `is_over` says so."""
        wanted = readings(query)
        if not wanted:
            return HistoryFound(entries=[], is_complete=True)
        self.catch_up(CATCH_UP_S, is_over=is_over)
        with self._lock:
            found: list[HistoryEntry] = []
            while wanted and not found:
                found = self._found(wanted.pop(0), project, limit)
            is_behind = self._is_behind()
        return HistoryFound(entries=found, is_complete=not is_behind)

    def around(self, entry_id: int, *, before: int, after: int) -> list[HistoryEntry]:
        """The entry with its neighbours in its session, in their order. Raises UsageError where there is none."""
        with self._lock:
            at = self._queries.rows("SELECT session_id, sequence FROM transcript_entries WHERE id = ?", (entry_id,))
            if not at:
                raise UsageError(say("ledger.entry_unknown", id=entry_id))
            [(session_id, sequence)] = at
            side = f"{_ENTRY} WHERE e.session_id = ? AND e.entry_type IN ({_KINDS}) AND e.sequence"
            earlier = self._queries.rows(f"{side} < ? ORDER BY e.sequence DESC LIMIT ?", (session_id, sequence, before))
            later = self._queries.rows(f"{side} >= ? ORDER BY e.sequence LIMIT ?", (session_id, sequence, after + 1))
        entries = [_entry(row) for row in [*reversed(earlier), *later]]
        # An answer that only calls tools says nothing by itself; its calls stand in entries of their own.
        return [entry for entry in entries if entry.text or entry.id == entry_id]

    def catch_up(self, budget_s: float, *, is_over: Callable[[], bool] = lambda: False) -> None:
        """Brings the index up to date, or as far as the time goes. Where nothing can be written it stays as it is."""
        if self._writing is None:
            return
        with self._lock:
            # Asked first, because only looking needs nobody's leave to write.
            is_behind = self._is_behind()
        try:
            if is_behind:
                catch_up(self._writing().now, budget_s=budget_s, is_over=is_over)
        except LedgerError:
            return  # A full disk, or a long writer: what is indexed can be searched all the same.

    def close(self) -> None:
        with self._lock:
            self._queries.close()

    def _is_behind(self) -> bool:
        return bool(self._queries.rows(_BEHIND))

    def _found(self, wanted: list[str], project: str | None, limit: int) -> list[HistoryEntry]:
        counts = sorted((self._count(term), term) for term in wanted)
        rare = _within([pair for pair in counts if 0 < pair[0] <= _RARE_MAX])
        common = [term for count, term in counts if count and term not in rare]
        if rare:
            return self._ranked(_rarest(rare, common[:_COMMON_MAX]), project, limit)
        return self._newest(common, project, limit) if common else []

    def _count(self, term: str) -> int:
        """In how many entries, counted no further than needed."""
        [(count,)] = self._queries.rows(
            "SELECT COUNT(*) FROM (SELECT 1 FROM history_fts WHERE history_fts MATCH ? LIMIT ?)",
            (f"text : {term}", _RARE_MAX + 1),
        )
        return count

    def _ranked(self, match: str, project: str | None, limit: int) -> list[HistoryEntry]:
        rows = self._queries.rows(
            "SELECT bm25(history_fts, 1.0, 0.0), rowid FROM history_fts WHERE history_fts MATCH ?", (match,)
        )
        ranked = sorted((score, -number) for score, number in rows)
        mine: list[tuple[float, int]] = []
        for start in range(0, len(ranked), _AT_ONCE):
            some = ranked[start : start + _AT_ONCE]
            inside = self._inside([-number for _, number in some], project)
            mine += [(score, -number) for score, number in some if -number in inside]
            if len(mine) >= limit:
                break
        return self._entries(above_floor([(score, number) for score, number in mine[:limit]]))

    def _newest(self, common: list[str], project: str | None, limit: int) -> list[HistoryEntry]:
        home = f' AND place : "{place(project)}"' if project is not None else ""
        for joint in (" AND ", " OR "):
            rows = self._queries.rows(
                "SELECT rowid FROM history_fts WHERE history_fts MATCH ? ORDER BY rowid DESC LIMIT ?",
                (f"text : ({joint.join(common[:3])}){home}", limit * 2),
            )
            inside = self._inside([row[0] for row in rows], project)
            if inside:
                return self._entries(sorted(inside, reverse=True)[:limit])
        return []

    def _inside(self, numbers: Sequence[int], project: str | None) -> set[int]:
        """Those entries that are still there, of this project."""
        marks = ", ".join("?" * len(numbers))
        rows = self._queries.rows(f"{_HOME} WHERE e.id IN ({marks})", tuple(numbers))
        return {number for number, folder in rows if project in (None, folder)}

    def _entries(self, numbers: Sequence[int]) -> list[HistoryEntry]:
        rows = self._queries.rows(f"{_ENTRY} WHERE e.id IN ({', '.join('?' * len(numbers))})", tuple(numbers))
        found = {row[0]: _entry(row) for row in rows}
        return [found[number] for number in numbers]


def _within(counts: list[tuple[int, str]]) -> list[str]:
    """The rarest terms that together are in no more entries than are ranked; the rarest one in any case."""
    room, kept = _RANKED_MAX, list[str]()
    for count, term in counts:
        room -= count
        if kept and room < 0:
            break
        kept.append(term)
    return kept


def _rarest(rare: list[str], common: list[str]) -> str:
    """Matches what has a rare term; common ones only add to the score of that."""
    either = " OR ".join(rare)
    return f"text : (({either}) AND ({' OR '.join([either, *common])}))" if common else f"text : ({either})"


def _entry(row: Row) -> HistoryEntry:
    number, session_id, sequence, kind, payload, extra, created_at, project_dir = row
    return HistoryEntry(
        id=number,
        session_id=session_id,
        sequence=sequence,
        kind=kind,
        text=text_of(kind, payload, extra),
        created_at=str(created_at),
        project_dir=str(project_dir),
    )
