"""What is changed? All that this session changed, or what git has not committed yet, on the whole screen."""

from daedal.protocol.catalogue import say
from daedal.protocol.items import Change, FileChange, ItemStatus
from daedal.protocol.repository import RepositoryParams
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.near_here import near_here
from daedal.tui.overlays.opened import diff_rows
from daedal.tui.overlays.viewer import Viewer
from daedal.tui.panel import Panel
from daedal.tui.past_turns import has_said, turns
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Entry, Notice

SIGNS = {"add": "+", "delete": "-"}
SESSION, GIT = "session", "git"


async def run(face: Face, arguments: str) -> None:
    wanted = arguments.strip()
    if wanted not in ("", SESSION, GIT):
        face.tell(Notice(say("tui.diff.unknown", wanted=wanted), "warn"))
        return
    panels: list[Panel] = []
    if wanted != GIT and has_said(face):
        panels = await _of_session(face)
    if wanted != SESSION and not panels:
        panels = await _of_git(face)
    if not panels:
        face.tell(Notice(say("tui.diff.none_session") if wanted == SESSION else say("tui.diff.none")))
        return
    await face.show(Viewer(face, [Entry(panel) for panel in panels]))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del face, arguments
    return [Offer(SESSION, say("tui.diff.session")), Offer(GIT, say("tui.diff.git"))]


async def _of_session(face: Face) -> list[Panel]:
    """By file, in the order in which they were first touched; each with all that was done to it."""
    diffs: dict[str, list[str]] = {}
    async for turn in turns(face):
        for item in turn.items:
            if isinstance(item, FileChange) and item.status is ItemStatus.COMPLETED:
                for change in item.changes:
                    diffs.setdefault(near_here(change.path), []).append(_patch(change))
    heading: Row = [("heading", say("tui.diff.title_session", count=len(diffs)))]
    panels = [_panel(path, "\n".join(diff.rstrip("\n") for diff in found)) for path, found in diffs.items()]
    return [Panel([heading], wraps=False), *panels] if panels else []


def _patch(change: Change) -> str:
    """A new file is told as its content alone, and so is one that was removed."""
    sign = SIGNS.get(str(change.kind.get("type")))
    return change.diff if sign is None else "\n".join(f"{sign}{line}" for line in change.diff.splitlines())


async def _of_git(face: Face) -> list[Panel]:
    told = await face.call("repository/diff", RepositoryParams(cwd=face.view.folder or None))
    if not told.diff.strip():
        return []
    pieces = [piece for piece in f"\n{told.diff}".split("\ndiff --git ") if piece.strip()]
    panels = [_of_patch(piece) for piece in pieces]
    heading: Row = [("heading", say("tui.diff.title_git", count=len(pieces)))]
    last = [Panel([[("warn", say("tui.diff.cut"))]])] if told.is_cut else []
    return [Panel([heading], wraps=False), *panels, *last]


def _of_patch(piece: str) -> Panel:
    first, _, rest = piece.partition("\n")
    return _panel(first.partition(" b/")[2] or first, rest)


def _panel(path: str, diff: str) -> Panel:
    return Panel([[("accent", flat(path))], *diff_rows(diff)], wraps=False)
