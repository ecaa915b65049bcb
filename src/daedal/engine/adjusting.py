"""How do a thread's settings come into force while it lives? On the record, then in memory, then everybody hears of it.

Rules, walls and the folder hold for the next call that is judged. A reply under way belongs to the model that began it:
the next one comes from the model that was chosen meanwhile, told all that is on the record.
"""

from msgspec.structs import replace

from daedal.engine.delegation import Subset
from daedal.engine.history import pieces
from daedal.engine.measuring import put_back
from daedal.engine.planning import EXIT, PLANNING
from daedal.engine.remembered import settings_entry
from daedal.engine.terms import Terms
from daedal.engine.thread import LoadedThread, offered
from daedal.engine.views import settings_of
from daedal.engine.wishes import PLAN, Change, checked
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.events import ThreadSettingsUpdated, Warned
from daedal.protocol.hooks import HookEvent
from daedal.protocol.model import Brief
from daedal.protocol.records import ModelChosen, PhaseChanged, Record
from daedal.protocol.seams import Provider
from daedal.protocol.turns import Wishes

PLANS_NOW = (
    "The user switched to plan mode: change nothing, read and search, then present your plan with ExitPlanMode and wait"
    " for its approval."
)
TASK_CHARACTERS_MAX = 100
TOLD_MAX = 20
"""Of the tasks that other walls end, so many are told by name."""
PLANS_NO_MORE = "The user ended plan mode: you may make changes again."


async def adjust(world: World, thread: LoadedThread, wishes: Wishes, *, is_running: bool) -> None:
    """Whoever calls this holds `thread.adjusting`. Raises UsageError or ConfigurationError before anything changes."""
    if not is_running and not thread.unsaved:
        _look_again(world, thread)
    change = await checked(world, thread, wishes)
    if change is None:
        return
    for notice in change.notices:
        await world.faces.emit(thread.id, Warned(message=notice, thread_id=thread.id))
    if not change.told:
        return
    before, cwd = thread.terms, thread.cwd
    fresh = [EXIT] if change.terms.phase == PLANNING and EXIT not in thread.loaded else []
    records = _records(change, fresh)
    moved = _phase_record(thread, before, change.terms)
    # In memory first, and without a wait: what is judged from here on is judged by it, and says so on the record.
    _in_force(world, thread, change)
    await _record(world, thread, records, moved, stored=before, is_running=is_running)
    if fresh:
        thread.loaded.update(fresh)
        thread.dialogue.offer(offered(thread.toolbox, thread.loaded))
    await _succeed(thread, change.provider)
    if not is_running:
        _tell_model(thread, before)
        await catch_up(world, thread)
    if thread.cwd != cwd:
        await thread.hooks.fire(HookEvent.CWD_CHANGED, old_cwd=cwd, new_cwd=thread.cwd)
    await tell(world, thread)


def _look_again(world: World, thread: LoadedThread) -> None:
    """The phase is the conversation's, and somebody else may have moved it since the last turn."""
    stored = world.transcript.conversation(thread.conversation_id)
    thread.terms = replace(thread.terms, phase=stored.phase, has_approved_plan=stored.has_approved_plan)


async def tell(world: World, thread: LoadedThread) -> None:
    event = ThreadSettingsUpdated(thread_id=thread.id, thread_settings=settings_of(thread))
    await world.faces.emit(thread.id, event)


async def catch_up(world: World, thread: LoadedThread) -> None:
    """What could not be done in the middle of something: nothing of the thread is under way now."""
    if thread.successor is not None:
        await _switch(world, thread, thread.successor)
    noted = thread.take_noted()
    if noted:
        await world.transcript.commit(thread.id, noted)
    retired, thread.retired = thread.retired, []
    for toolbox in retired:
        for task in (await toolbox.close())[:TOLD_MAX]:
            key = "engine.settings.kept" if task.is_kept else "engine.settings.ended"
            what = " ".join(task.description.split())[:TASK_CHARACTERS_MAX]
            message = world.redact(say(key, id=task.id, what=what))
            await world.faces.emit(thread.id, Warned(message=message, thread_id=thread.id))


async def _switch(world: World, thread: LoadedThread, provider: Provider) -> None:
    entries = [] if thread.unsaved else await world.transcript.entries(thread.id)
    thread.successor, before = None, thread.provider
    brief = Brief(system=thread.system, tools=offered(thread.toolbox, thread.loaded), place=thread.terms.place)
    thread.provider, thread.dialogue = provider, provider.open(brief)
    put_back(thread, pieces(entries), entries)
    await before.close()


async def _succeed(thread: LoadedThread, provider: Provider | None) -> None:
    if provider is None:
        return
    passed_over, thread.successor = thread.successor, provider
    if passed_over is not None:
        await passed_over.close()


def _records(change: Change, fresh: list[str]) -> list[Record]:
    told = {key: value for key, value in change.told.items() if (key, value) != ("mode", PLAN)}
    records: list[Record] = [settings_entry(told, fresh)] if told or fresh else []
    if "model" in told:
        records.append(ModelChosen(provider=change.terms.provider, model_id=change.terms.model_id))
    return records


def _phase_record(thread: LoadedThread, before: Terms, after: Terms) -> list[Record]:
    if before.phase == after.phase:
        return []
    detail = {"by": "person"}
    return [PhaseChanged(conversation_id=thread.conversation_id, before=before.phase, after=after.phase, detail=detail)]


async def _record(
    world: World,
    thread: LoadedThread,
    records: list[Record],
    moved: list[Record],
    *,
    stored: Terms,
    is_running: bool,
) -> None:
    if thread.unsaved:
        (thread.noted if is_running else thread.unsaved).extend([*records, *moved])
        return
    if moved and is_running:
        phase = world.transcript.conversation(thread.conversation_id).phase
        if phase != stored.phase:
            # A call has moved it, and its result is not on the record yet: this comes after that.
            thread.noted.extend(moved)
            moved = []
    if records or moved:
        await world.transcript.commit(thread.id, [*records, *moved])


def _in_force(world: World, thread: LoadedThread, change: Change) -> None:
    terms = thread.terms = change.terms
    thread.hooks.mode = terms.mode
    if change.cwd is not None:
        thread.cwd = thread.hooks.cwd = change.cwd
    if change.toolbox is not None:
        thread.retired.append(thread.toolbox)
        thread.toolbox = change.toolbox
    for child in thread.children:
        _follow(world, child, terms, has_other_walls=change.toolbox is not None)
    for each in thread.family():
        if each.gate is not None:
            mode = each.terms.mode
            each.gate.adjust(posture=terms.posture, mode=mode, is_read_only=terms.is_read_only)
            each.gate.enter(terms.phase, has_approved_plan=terms.has_approved_plan)


def _follow(world: World, child: LoadedThread, terms: Terms, *, has_other_walls: bool) -> None:
    """A sub-agent works on the terms of whom it works for. One that only plans goes on only planning."""
    child.terms = replace(
        child.terms,
        posture=terms.posture,
        mode=child.terms.mode if child.terms.mode == PLAN else terms.mode,
        phase=terms.phase,
        has_approved_plan=terms.has_approved_plan,
        is_confined=terms.is_confined,
        is_read_only=terms.is_read_only,
        wants_walls=terms.wants_walls,
    )
    if has_other_walls and isinstance(child.toolbox, Subset):
        child.retired.append(child.toolbox)
        child.toolbox = child.toolbox.over(world.make_toolbox(child.terms))


def _tell_model(thread: LoadedThread, before: Terms) -> None:
    """With the next prompt. (In the middle of a turn it learns from the answer to what it tries.)"""
    if thread.terms.phase == before.phase:
        return
    thread.context = [note for note in thread.context if note not in (PLANS_NOW, PLANS_NO_MORE)]
    thread.context.append(PLANS_NOW if thread.terms.phase == PLANNING else PLANS_NO_MORE)
