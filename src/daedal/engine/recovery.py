"""What is done about a turn that a crash cut off? What is unknown is said to be unknown; nothing runs again."""

from daedal.engine.acting import INTERNAL
from daedal.engine.history import open_calls, result_block
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.content import Message, Role
from daedal.protocol.records import Entry, EntryType, Record, TurnClosed, TurnStatus

UNKNOWN = (
    f"{INTERNAL} The process stopped while this call was under way. It may have run completely, partly or not at all, "
    "and it was not run again. Check the state before you decide how to go on."
)


async def recover(world: World, thread: LoadedThread, *, close: bool) -> list[Record]:
    """Records that settle what was left open, to go into the same commit as what comes next.

    Calls without a result get one that says so, and pre-images they left behind get their rows. With `close` a turn
    that was under way is closed as interrupted; without, it is about to go on.
    """
    if thread.settled:
        return []
    thread.settled = True
    turns = await world.transcript.turns(thread.id)
    if not turns or turns[-1].status is not TurnStatus.IN_PROGRESS:
        return []
    turn_id = turns[-1].turn_id
    entries = [entry for entry in await world.transcript.entries(thread.id) if entry.turn_id == turn_id]
    records: list[Record] = []
    results: list[Entry] = []
    for call in open_calls(entries):
        for blob, image in await world.pre_images.find(thread.id, call.id):
            snapshot = {"path": image.path, "blob": blob, "existed": image.content is not None}
            records.append(
                Entry(
                    entry_type=EntryType.FILE_HISTORY_SNAPSHOT, payload=snapshot, turn_id=turn_id, tool_use_id=call.id
                )
            )
        payload = {"tool_use_id": call.id, "content": UNKNOWN, "is_error": True}
        results.append(Entry(entry_type=EntryType.TOOL_RESULT, payload=payload, turn_id=turn_id, tool_use_id=call.id))
    if results:
        thread.append(Message(Role.USER, [result_block(entry.entry_type, entry.payload) for entry in results]))
    records += results
    if close:
        records.append(TurnClosed(turn_id=turn_id, status=TurnStatus.INTERRUPTED))
    return records
