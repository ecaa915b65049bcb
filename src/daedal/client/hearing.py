"""What does an event change in what is known of its thread?"""

import msgspec

from daedal.client.gathered_items import Growth
from daedal.client.gathered_thread import GatheredThread, settings_of
from daedal.protocol.events import (
    AgentMessageDelta,
    CommandOutputDelta,
    DiffUpdated,
    Event,
    ItemCompleted,
    ItemStarted,
    PlanUpdated,
    ReasoningTextDelta,
    RequestResolved,
    ThreadArchived,
    ThreadNamed,
    ThreadRewound,
    ThreadSettingsUpdated,
    ThreadStarted,
    ThreadStatusChanged,
    ThreadUnarchived,
    TokenUsageUpdated,
    TurnCompleted,
    TurnStarted,
    TurnTroubled,
    Warned,
)
from daedal.protocol.goals import GoalCleared, GoalUpdated
from daedal.protocol.items import ReviewEntered


def hear(thread: GatheredThread, event: Event | Growth) -> None:
    _hear_thread(thread, event)
    match event:
        case TurnStarted(turn=turn):
            thread.begin(turn)
        case TurnCompleted(turn=turn):
            thread.complete(turn)
        case ItemStarted(turn_id=turn_id, item=item):
            if isinstance(item, ReviewEntered):
                thread.enter_review(turn_id)
            thread.turn(turn_id).item_began(item)
        case ItemCompleted(turn_id=turn_id, item=item):
            thread.turn(turn_id).item_ended(item)
        case Growth() | AgentMessageDelta() | ReasoningTextDelta() | CommandOutputDelta():
            thread.turn(event.turn_id).grew(_growth(event))
        case TurnTroubled(turn_id=turn_id):
            thread.turn(turn_id).troubled(event)
        case PlanUpdated(turn_id=turn_id):
            thread.turn(turn_id).planned(event)
        case DiffUpdated(turn_id=turn_id, diff=diff):
            thread.turn(turn_id).changed(diff)
        case TokenUsageUpdated(turn_id=turn_id, token_usage=usage):
            # What a sub-agent used is told to its parent without a turn: it is part of the one that runs.
            thread.turn(turn_id).used(usage, thread.usage)
            thread.usage = usage
        case _:
            pass


def _hear_thread(thread: GatheredThread, event: Event | Growth) -> None:
    match event:
        case ThreadStarted(thread=told):
            thread.rebuild(told)
        case ThreadStatusChanged(status=status):
            thread.status = status
        case ThreadNamed(thread_name=name):
            thread.name = name
        case ThreadArchived() | ThreadUnarchived():
            thread.is_archived = isinstance(event, ThreadArchived)
        case ThreadRewound(turns=turns, conversation=True):
            thread.rewind(turns)
        case ThreadSettingsUpdated(thread_settings=settings):
            thread.settings = settings_of(msgspec.to_builtins(settings))
        case GoalUpdated(goal=goal):
            thread.goal = goal
        case GoalCleared():
            thread.goal = None
        case RequestResolved(request_id=request_id):
            thread.answered(request_id, "resolved")
        case Warned(message=message):
            thread.warned(message)
        case _:
            pass


def _growth(event: Growth | AgentMessageDelta | ReasoningTextDelta | CommandOutputDelta) -> Growth:
    if isinstance(event, Growth):
        return event
    part, index = "text", 0
    if isinstance(event, ReasoningTextDelta):
        part, index = "content", event.content_index
    elif isinstance(event, CommandOutputDelta):
        part = "output"
    return Growth(
        thread_id=event.thread_id,
        turn_id=event.turn_id,
        item_id=event.item_id,
        delta=event.delta,
        part=part,
        index=index,
    )
