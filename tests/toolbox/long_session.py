"""Where does a very long session come from? A real one whose last turn is put on the record again and again."""

import asyncio
from pathlib import Path
from typing import Any

from daedal.ledger import Ledger
from daedal.protocol.ids import new_id
from daedal.protocol.records import Entry, Record, StoredEntry, TurnClosed, TurnOpened, TurnStatus

TURNS_AT_ONCE = 100


def grow(database: Path, session_id: str, turns: int) -> None:
    """So many turns more, each with calls of its own; prompts and answers say which one they are of."""
    asyncio.run(_grow(database, session_id, turns))


async def _grow(database: Path, session_id: str, turns: int) -> None:
    ledger = Ledger.open(str(database))
    try:
        last = (await ledger.turns(session_id))[-1]
        entries = [entry for entry in await ledger.entries(session_id) if entry.turn_id == last.turn_id]
        for start in range(0, turns, TURNS_AT_ONCE):
            records: list[Record] = []
            for number in range(start, min(start + TURNS_AT_ONCE, turns)):
                turn_id = new_id()
                records.append(TurnOpened(turn_id=turn_id, principal=last.principal))
                records += [_again(entry, turn_id, number) for entry in entries]
                records.append(TurnClosed(turn_id=turn_id, status=TurnStatus.COMPLETED))
            await ledger.commit(session_id, records)
    finally:
        ledger.close()


def _again(entry: StoredEntry, turn_id: str, number: int) -> Entry:
    call = f"{entry.tool_use_id}-{number}" if entry.tool_use_id else entry.tool_use_id
    given = _renamed({key: value for key, value in entry.payload.items() if key != "_t"}, number)
    return Entry(entry_type=entry.entry_type, payload=given, turn_id=turn_id, tool_use_id=call, extra=entry.extra)


def _renamed(told: Any, number: int) -> Any:
    """With ids of its own, and words that say which turn it is."""
    if isinstance(told, list):
        return [_renamed(part, number) for part in told]
    if not isinstance(told, dict):
        return told
    found = {key: _renamed(value, number) for key, value in told.items()}
    for key in ("id", "uuid", "tool_use_id"):
        if key in found:
            found[key] = f"{found[key]}-{number}"
    if isinstance(found.get("text"), str):
        found["text"] += f" (turn {number})"
    return found
