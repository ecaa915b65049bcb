"""How does a session go back to an earlier turn? What comes of it is told first; then conversation, files, or both.

What cannot be undone is named before anything is chosen. A file that somebody has changed since is overwritten only
after a second yes.
"""

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.rewinding import KeptFile, RewindParams, RewindPoint, RewindResponse, SideEffect
from daedal.tui.face import Face
from daedal.tui.near_here import near_here
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Notice

NAMED_MAX = 8
CHANGED = "changedSince"
OVERWRITE, LEAVE = "overwrite", "leave"


class Parts(Struct, frozen=True):
    """What goes back."""

    conversation: bool
    files: bool


async def choose_and_go_back(face: Face, point: RewindPoint) -> None:
    foreseen = await foresee(face, point)
    parts = await face.show(Choosing(_title(point), _options(foreseen), above=_told(foreseen)))
    if parts is not None:
        await go_back(face, point, parts, foreseen)


async def go_back(face: Face, point: RewindPoint, parts: Parts, foreseen: RewindResponse) -> None:
    changed = [kept for kept in foreseen.kept if kept.why == CHANGED]
    force = False
    if parts.files and changed:
        chosen = await face.show(
            Choosing(say("tui.rewind.changed_question"), _changed_options(), above=_files(changed))
        )
        if chosen is None:
            return
        force = chosen == OVERWRITE
    done = await _rewind(face, point, parts, force=force)
    if parts.files:
        face.look_around()
    if parts.conversation:
        if done.text and not face.composer.text:
            face.composer.text = done.text
        face.clear_screen()
        await face.open_thread(face.view.thread_id)
    face.tell(Notice(_outcome(point, parts, done)))
    for kept in done.kept:
        face.tell(Notice(say("tui.rewind.kept", path=near_here(kept.path), detail=kept.detail), "warn"))


async def foresee(face: Face, point: RewindPoint) -> RewindResponse:
    """What would come of it."""
    return await _rewind(face, point, Parts(conversation=True, files=True), dry_run=True)


async def _rewind(
    face: Face, point: RewindPoint, parts: Parts, *, force: bool = False, dry_run: bool = False
) -> RewindResponse:
    params = RewindParams(
        thread_id=face.view.thread_id,
        before_turn_id=point.turn_id,
        conversation=parts.conversation,
        files=parts.files,
        force=force,
        dry_run=dry_run,
    )
    return await face.call("thread/rewind", params)


def _title(point: RewindPoint) -> str:
    if point.kind == "rewind":
        return say("tui.rewind.undo_question")
    return say("tui.rewind.question", text=flat(point.text, 60))


def _options(foreseen: RewindResponse) -> list[Option]:
    conversation = Option(say("tui.rewind.conversation"), Parts(conversation=True, files=False), letter="c")
    if not foreseen.restored and not foreseen.kept:
        return [conversation]
    return [
        Option(say("tui.rewind.both"), Parts(conversation=True, files=True), letter="b"),
        conversation,
        Option(say("tui.rewind.files"), Parts(conversation=False, files=True), letter="f"),
    ]


def _changed_options() -> list[Option]:
    return [
        Option(say("tui.rewind.leave"), LEAVE, letter="l"),
        Option(say("tui.rewind.overwrite"), OVERWRITE, letter="o"),
    ]


def _told(foreseen: RewindResponse) -> list[Row]:
    """The files that would be put back, those that would not, and what nothing undoes."""
    rows: list[Row] = []
    acted = [file for file in foreseen.restored if file.action != "unchanged"]
    rows += _listed(
        say("tui.rewind.put_back"), [f"{near_here(file.path)}  ({say(f'tui.rewind.{file.action}')})" for file in acted]
    )
    kept = [f"{near_here(file.path)}  ({file.detail})" for file in foreseen.kept]
    rows += _listed(say("tui.rewind.not_put_back"), kept, style="warn")
    return [*rows, *effect_rows(foreseen.effects)]


def effect_rows(effects: list[SideEffect]) -> list[Row]:
    return _listed(say("tui.rewind.effects"), [effect.text for effect in effects], style="warn")


def _files(changed: list[KeptFile]) -> list[Row]:
    return _listed(say("tui.rewind.changed_files"), [near_here(kept.path) for kept in changed], style="warn")


def _listed(title: str, names: list[str], *, style: str = "") -> list[Row]:
    if not names:
        return []
    rows: list[Row] = [[("heading", title)]]
    rows += [[(style, f"  {flat(name, 200)}")] for name in names[:NAMED_MAX]]
    hidden = len(names) - NAMED_MAX
    return [*rows, [("quiet", f"  {say('tui.more_calls', count=hidden)}")]] if hidden > 0 else rows


def _outcome(point: RewindPoint, parts: Parts, done: RewindResponse) -> str:
    count = sum(file.action != "unchanged" for file in done.restored)
    where = say("tui.rewind.where_undone") if point.kind == "rewind" else flat(point.text, 60)
    if parts.conversation and parts.files:
        return say("tui.rewind.done_both", text=where, count=count)
    return say("tui.rewind.done_files", count=count) if parts.files else say("tui.rewind.done_talk", text=where)
