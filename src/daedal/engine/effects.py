"""What does a finished call change in its thread? Where it works, its phase, the tools it knows, what is to be done.

In memory at once, since the next call of the same reply is judged by it; on the record with the call's result.
"""

import time
from typing import Any

from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.planning import IMPLEMENT
from daedal.engine.thread import LoadedThread, offered
from daedal.engine.world import World
from daedal.protocol.events import AgentMessageDelta, ItemCompleted, ItemStarted, PlanUpdated
from daedal.protocol.ids import new_id
from daedal.protocol.items import AgentMessage
from daedal.protocol.records import PhaseChanged, PlanApproved, Record
from daedal.protocol.seams import Outcome

GO_ON = ("default", "acceptEdits")
"""Modes that come with the approval of a plan."""


def take_effect(
    thread: LoadedThread, turn_id: str, outcome: Outcome, given: dict[str, Any], mode: str | None = None
) -> list[Record]:
    """What goes on the record beside the result. `given` is the input of the call; `mode` that which a person chose
    with their approval."""
    paid: list[Record] = [
        recording.side_called(turn_id, side, thread.spent(side.usage, side.card, is_own=False))
        for side in outcome.side_calls
    ]
    if outcome.cwd is not None:
        thread.cwd = thread.hooks.cwd = outcome.cwd
    fresh = [name for name in outcome.loaded if name not in thread.loaded]
    if fresh:
        thread.loaded.update(fresh)
        thread.dialogue.offer(offered(thread.toolbox, thread.loaded))
    if outcome.phase is None or outcome.phase == thread.terms.phase:
        return paid
    entered = _enter(thread, outcome.phase, given)
    return [*paid, *entered, *_go_on_in(thread, mode)] if outcome.phase == IMPLEMENT else [*paid, *entered]


def _enter(thread: LoadedThread, phase: str, given: dict[str, Any]) -> list[Record]:
    before, is_approved = thread.terms.phase, phase == IMPLEMENT
    # The phase is the conversation's: whoever else works in it is in it from this moment on.
    for each in thread.family():
        # Plan mode was a wish for the beginning; once there is a plan it must not lead back there.
        mode = None if each.terms.mode == "plan" and each is thread else each.terms.mode
        each.terms = replace(each.terms, phase=phase, has_approved_plan=is_approved, mode=mode)
        if each.gate is not None:
            each.gate.enter(phase, has_approved_plan=is_approved, carries_out=is_approved and each is thread)
    approved: list[Record] = []
    if is_approved:
        approved.append(PlanApproved(conversation_id=thread.conversation_id, content=given["plan"]))
    return [*approved, PhaseChanged(conversation_id=thread.conversation_id, before=before, after=phase)]


def _go_on_in(thread: LoadedThread, mode: str | None) -> list[Record]:
    """The mode in which the plan is carried out, where the person chose one rather than let it run on unasked."""
    if mode not in GO_ON:
        return []
    from daedal.engine.remembered import settings_entry

    terms = thread.terms = replace(thread.terms, mode=mode)
    thread.hooks.mode = mode
    if thread.gate is not None:
        thread.gate.adjust(posture=terms.posture, mode=mode, is_read_only=terms.is_read_only)
        thread.gate.enter(terms.phase, has_approved_plan=True)
    return [settings_entry({"mode": mode}, [])]


async def tell(thread: LoadedThread, world: World, turn_id: str, outcome: Outcome) -> None:
    """What faces show beside the call itself."""
    at = {"thread_id": thread.id, "turn_id": turn_id}
    if outcome.todos is not None:
        await world.faces.emit(thread.id, PlanUpdated(**at, plan=outcome.todos))
    if outcome.message:
        text, now = world.redact(outcome.message), int(time.time() * 1000)
        item = AgentMessage(id=new_id(), text=text)
        await world.faces.emit(thread.id, ItemStarted(**at, item=replace(item, text=""), started_at_ms=now))
        await world.faces.emit(thread.id, AgentMessageDelta(**at, item_id=item.id, delta=text))
        await world.faces.emit(thread.id, ItemCompleted(**at, item=item, completed_at_ms=now))
