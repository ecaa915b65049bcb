"""What would a rewind do? For each turn what it changed, and for a place to go back to what becomes of each file.

Only looks. A file's state at a place in the record is what the first call kept of it from there on, whoever that was:
a turn that was taken out of the context since then has changed it all the same.
"""

import stat
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from msgspec import Struct

from daedal.engine.clock import epoch
from daedal.engine.imprints import imprint_of
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import EntryType, StoredEntry, StoredTurn, TurnStatus
from daedal.protocol.rewinding import (
    FamilyRecord,
    KeptFile,
    RewindFile,
    RewindPoint,
    SideEffect,
    StoredSnapshot,
    Unrestorable,
    out_of_context,
)
from daedal.protocol.seams import PreImage, PreImages, Restorer

TEXT_MAX = 200
HARMLESS = frozenset(
    {
        *("Read", "Glob", "Grep", "LS", "NotebookRead", "TodoWrite", "ToolSearch", "TaskOutput", "AskUserQuestion"),
        *("EnterPlanMode", "ExitPlanMode", "Skill", "WebFetch", "WebSearch", "History", "SendUserMessage", "Agent"),
        *("ListMcpResources", "ReadMcpResource", "ListMcpResourcesTool", "ReadMcpResourceTool", "Memory", "Task"),
    }
)
"""Tools that change nothing by themselves; what a sub-agent does is told of the sub-agent."""
FILE_TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "Move"})


class Step(Struct, frozen=True, kw_only=True):
    """A file that goes back."""

    image: PreImage
    """What it becomes."""
    now: PreImage
    under: str | None
    is_unchanged: bool

    @property
    def action(self) -> str:
        if self.is_unchanged:
            return "unchanged"
        return "removed" if self.image.content is None else "restored"


class Files(Struct, frozen=True, kw_only=True):
    steps: list[Step] = []
    kept: list[KeptFile] = []


def points(turns: list[StoredTurn], entries: list[StoredEntry], record: FamilyRecord) -> list[RewindPoint]:
    gone = out_of_context(entries)
    files, effects = _by_turn(record)
    by_turn: dict[str, list[StoredEntry]] = {}
    for entry in entries:
        by_turn.setdefault(entry.turn_id, []).append(entry)
    out: list[RewindPoint] = []
    for turn in turns:
        if turn.turn_id not in record.begins:
            continue
        kind, text = _told(by_turn.get(turn.turn_id, []))
        out.append(
            RewindPoint(
                turn_id=turn.turn_id,
                kind=kind,
                text=text[:TEXT_MAX],
                started_at=epoch(turn.started_at),
                in_context=turn.turn_id not in gone and kind != "rewind",
                files=_changes(files.get(turn.turn_id, [])),
                effects=effects.get(turn.turn_id, []),
            )
        )
    return out


def words_of(entries: Iterable[StoredEntry], turn_id: str) -> str:
    """What the person said to begin a turn."""
    return _told([entry for entry in entries if entry.turn_id == turn_id])[1]


def effects_since(record: FamilyRecord, start: int) -> list[SideEffect]:
    kept = {snapshot.tool_use_id for snapshot in record.snapshots}
    return [
        SideEffect(
            kind="command" if deed.tool == "Bash" else "tool",
            text=deed.command if deed.tool == "Bash" else deed.tool,
            tool_use_id=deed.tool_use_id,
        )
        for deed in record.deeds
        if deed.number >= start
        and not deed.is_refused
        and deed.tool not in HARMLESS
        and not (deed.tool in FILE_TOOLS and deed.tool_use_id in kept)
    ]


async def files_at(
    record: FamilyRecord,
    start: int,
    statuses: Mapping[str, TurnStatus],
    restorer: Restorer,
    pre_images: PreImages,
    *,
    force: bool,
) -> Files:
    """What becomes of each file that was changed from there on."""
    by_path: dict[str, list[StoredSnapshot]] = {}
    for snapshot in record.snapshots:
        if snapshot.number >= start:
            by_path.setdefault(snapshot.path, []).append(snapshot)
    files = Files(steps=[], kept=[])
    for path, found in by_path.items():
        try:
            image = await _image(found[0], pre_images)
            now = restorer.look(image.path)
            is_unchanged = _is_same(image, now)
            if not is_unchanged and not force:
                _refuse_foreign(found[-1], await _image(found[-1], pre_images), now, statuses)
        except Unrestorable as refused:
            files.kept.append(KeptFile(path=path, why=refused.why, detail=refused.detail))
            continue
        files.steps.append(Step(image=image, now=now, under=found[0].under, is_unchanged=is_unchanged))
    return files


async def _image(snapshot: StoredSnapshot, pre_images: PreImages) -> PreImage:
    try:
        image = await pre_images.read(snapshot.blob)
    except LedgerError as error:
        raise Unrestorable("missing", str(error)) from error
    if image is None:
        raise Unrestorable("missing", say("engine.rewind_blob_gone"))
    return image


def _refuse_foreign(last: StoredSnapshot, before: PreImage, now: PreImage, statuses: Mapping[str, TurnStatus]) -> None:
    """Raises where the file is not what the last known call left."""
    known = {last.after}
    if last.after is None or statuses.get(last.turn_id) is not TurnStatus.COMPLETED:
        known.add(imprint(before))  # It may have been cut off before it changed anything.
    if imprint(now) not in known:
        raise Unrestorable("changedSince", say("engine.rewind_changed"))


def imprint(image: PreImage) -> str:
    return imprint_of(image.content, is_link=image.mode is not None and stat.S_ISLNK(image.mode))


def _is_same(image: PreImage, now: PreImage) -> bool:
    modes = [None if each.mode is None else stat.S_IMODE(each.mode) for each in (image, now)]
    return imprint(image) == imprint(now) and (image.content is None or None in modes or modes[0] == modes[1])


def _by_turn(record: FamilyRecord) -> tuple[dict[str, list[StoredSnapshot]], dict[str, list[SideEffect]]]:
    turns, begins = list(record.begins), list(record.begins.values())

    def turn_at(number: int) -> str | None:
        place = bisect_right(begins, number)
        return turns[place - 1] if place else None

    files: dict[str, list[StoredSnapshot]] = {}
    for snapshot in record.snapshots:
        if (turn_id := turn_at(snapshot.number)) is not None:
            files.setdefault(turn_id, []).append(snapshot)
    places = {deed.tool_use_id: deed.number for deed in record.deeds}
    effects: dict[str, list[SideEffect]] = {}
    for effect in effects_since(record, begins[0] if begins else 0):
        if (turn_id := turn_at(places[effect.tool_use_id])) is not None:
            effects.setdefault(turn_id, []).append(effect)
    return files, effects


def _changes(snapshots: list[StoredSnapshot]) -> list[RewindFile]:
    by_path: dict[str, list[StoredSnapshot]] = {}
    for snapshot in snapshots:
        by_path.setdefault(snapshot.path, []).append(snapshot)
    changes: list[RewindFile] = []
    for path, found in by_path.items():
        existed, exists = found[0].existed, found[-1].after != "absent"
        if existed or exists:
            change = "changed" if existed and exists else "removed" if existed else "added"
            changes.append(RewindFile(path=path, change=change))
    return changes


def _told(entries: list[StoredEntry]) -> tuple[str, str]:
    """Of which kind a turn is, and the words that began it."""
    for entry in entries:
        if entry.entry_type is EntryType.SYSTEM and str(entry.payload.get("subtype")).startswith("rewind"):
            return "rewind", ""
        if entry.entry_type is EntryType.USER:
            words = [block["text"] for block in entry.payload["content"] if block["type"] == "text"]
            return "turn", entry.extra.get("shown") or "\n".join(words)
        if entry.entry_type is EntryType.TOOL_USE:
            return "shell", str(entry.payload["input"].get("command") or entry.payload["name"])
    return "turn", ""
