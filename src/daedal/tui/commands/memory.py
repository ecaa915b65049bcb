"""What is remembered beyond this session? Listed, searched, shown, mended in the editor, forgotten."""

import time

from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import KeptMemory, MemoryListParams, MemoryParams, MemoryWriteParams
from daedal.tui.face import Face
from daedal.tui.listing import listing
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.panel import Panel
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Notice

ACTIONS = ("show", "edit", "forget")


async def run(face: Face, arguments: str) -> None:
    action, _, rest = arguments.strip().partition(" ")
    rest = rest.strip()
    match action:
        case "":
            await _list(face, "")
        case "search" if rest:
            await _list(face, rest)
        case "show" if rest:
            _show(face, await face.call("memory/read", MemoryParams(id=rest)))
        case "edit" if rest:
            await _edit(face, rest)
        case "forget" if rest:
            await _forget(face, rest)
        case _:
            face.tell(Notice(say("tui.memory.usage"), "warn"))


async def complete(face: Face, arguments: str) -> list[Offer]:
    action, space, _ = arguments.partition(" ")
    if space and action in ACTIONS:
        found: list[KeptMemory] = (await face.call("memory/list", MemoryListParams(cwd=face.view.folder))).data
        return [Offer(f"{action} {memory.id}", memory.title) for memory in found]
    return [Offer(f"{word} ", say(f"tui.memory.about_{word}"), goes_on=True) for word in ("search", *ACTIONS)]


async def _list(face: Face, query: str) -> None:
    params = MemoryListParams(query=query, cwd=face.view.folder)
    found: list[KeptMemory] = (await face.call("memory/list", params)).data
    rows = [
        [memory.id, ("quiet", _day(memory.updated_at)), ("quiet", memory.type), ("quiet", _scope(memory)), memory.title]
        for memory in found
    ]
    otherwise = say("tui.memory.no_match" if query else "tui.memory.none")
    notes = [say("tui.memory.usage") if found else otherwise]
    face.tell(listing(say("tui.memory.title"), say("tui.memory.headings"), rows, notes=notes))


def _scope(memory: KeptMemory) -> str:
    return say("tui.memory.everywhere" if memory.project_scope is None else "tui.memory.here")


def _day(at: int) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(at / 1000 if at >= 10**11 else at))
    except (ValueError, OverflowError, OSError):
        return "?"


def _show(face: Face, memory: KeptMemory) -> None:
    about = " · ".join(part for part in (memory.id, memory.type, _scope(memory), memory.keywords) if part)
    rows: list[Row] = [[("heading", flat(memory.title))], [("quiet", flat(about))]]
    face.tell(Panel([*rows, *([("", f"  {line}")] for line in visible(memory.content).split("\n"))]))


async def _edit(face: Face, memory_id: str) -> None:
    memory: KeptMemory = await face.call("memory/read", MemoryParams(id=memory_id))
    edited = await face.edit(memory.content)
    if edited is None:
        return
    if not edited.strip() or edited.strip() == memory.content.strip():
        face.tell(Notice(say("tui.memory.unchanged")))
        return
    changed = await face.call("memory/write", MemoryWriteParams(id=memory.id, content=edited.strip()))
    face.tell(Notice(say("tui.memory.edited", title=changed.title), "good"))


async def _forget(face: Face, memory_id: str) -> None:
    memory: KeptMemory = await face.call("memory/read", MemoryParams(id=memory_id))
    _show(face, memory)
    options = [Option(say("tui.memory.yes"), value=True, letter="y"), Option(say("tui.memory.no"), letter="n")]
    if await face.show(Choosing(say("tui.memory.question"), options)):
        await face.call("memory/forget", MemoryParams(id=memory.id))
        face.tell(Notice(say("tui.memory.forgotten", title=memory.title)))
