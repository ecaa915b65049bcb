"""What is done about calls that a crash cut off? What is unknown is said to be unknown; nothing runs again."""

from daedal.engine.acting import INTERNAL
from daedal.engine.history import messages, open_calls
from daedal.engine.thread import LoadedThread, Recovery
from daedal.engine.world import World
from daedal.protocol.records import Entry, EntryType, Record, StoredEntry, TurnClosed, TurnStatus

UNKNOWN = (
    f"{INTERNAL} The process stopped while this call was under way. It may have run completely, partly or not at all, "
    "and it was not run again. Check the state before you decide how to go on."
)


async def recover(world: World, thread: LoadedThread, *, close: bool) -> Recovery:
    """Settles what was left open. The records go into the same commit as what comes next.

    Calls without a result get one that says so, and pre-images they left behind get their rows. With `close` a turn
    that was under way is closed as interrupted; without, it is about to go on.
    """
    entries = await world.transcript.entries(thread.id)
    records: list[Record] = []
    results: list[StoredEntry] = []
    # All turns, not only the last: one may have been closed although its outcome could not be written.
    for call in open_calls(entries):
        turn_id = next(entry.turn_id for entry in entries if entry.tool_use_id == call.id)
        for blob, image in await world.pre_images.find(thread.id, call.id):
            snapshot = {"path": image.path, "blob": blob, "existed": image.content is not None}
            records.append(
                Entry(
                    entry_type=EntryType.FILE_HISTORY_SNAPSHOT, payload=snapshot, turn_id=turn_id, tool_use_id=call.id
                )
            )
        result = Entry(
            entry_type=EntryType.TOOL_RESULT,
            payload={"tool_use_id": call.id, "content": UNKNOWN, "is_error": True},
            turn_id=turn_id,
            tool_use_id=call.id,
        )
        records.append(result)
        results.append(_as_stored(result))
    turns = await world.transcript.turns(thread.id, with_rewound=True)
    if close and turns and turns[-1].status is TurnStatus.IN_PROGRESS:
        records.append(TurnClosed(turn_id=turns[-1].turn_id, status=TurnStatus.INTERRUPTED))
    # Through the same mapping as a resumed record, so that both see the same, also a call of the user's own.
    known = len(messages(entries))
    return Recovery(records, messages([*entries, *results])[known:])


def _as_stored(entry: Entry) -> StoredEntry:
    return StoredEntry(
        sequence=-1,
        entry_type=entry.entry_type,
        payload=entry.payload,
        turn_id=entry.turn_id,
        tool_use_id=entry.tool_use_id,
        extra={},
        created_at="",
    )
