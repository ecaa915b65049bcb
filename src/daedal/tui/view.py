"""What does the chat know? Fed by the protocol's events alone, and read by whatever draws.

Finished things are entries, in the order in which they finished; unfinished ones are open. Nothing here draws.
"""

import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from daedal.protocol.events import (
    AgentMessageDelta,
    CommandOutputDelta,
    ItemCompleted,
    ItemStarted,
    McpProgress,
    PlanUpdated,
    ReasoningTextDelta,
    ThreadSettingsUpdated,
    ThreadStatusChanged,
    TokenUsage,
    TokenUsageUpdated,
    TurnCompleted,
    TurnStarted,
    TurnTroubled,
    Warned,
)
from daedal.protocol.goals import GoalCleared, GoalUpdated, ThreadGoal
from daedal.protocol.item_pages import ItemListResponse
from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    FileChange,
    Item,
    PlanStep,
    Reasoning,
    ToolCall,
    UserMessage,
)
from daedal.protocol.threads import Holder, ThreadStartResponse
from daedal.protocol.turns import Turn
from daedal.protocol.wire import Notification
from daedal.tui.advice import for_chat

TAIL_LENGTH_MAX = 4000
"""So much of a running command's output is kept to be shown."""
RECENT_MAX = 200
ACTIVE = "active"


class Entry(Struct, frozen=True):
    """Something that is finished and can be shown: an item, a notice, what a command of the chat says."""

    body: Any
    """`blocks` knows how each kind looks."""
    turn_id: str = ""
    is_aside: bool = False
    """A sub-agent's."""


def is_recorded(entry: Entry) -> bool:
    """Whether the thread's record has it: not what the chat itself says, and not what a sub-agent did."""
    return bool(getattr(entry.body, "id", "")) and not entry.is_aside


class Notice(Struct, frozen=True):
    """A sentence for the person, from the chat itself."""

    text: str
    style: str = "quiet"


class TurnEnd(Struct, frozen=True):
    turn: Turn
    tokens: int
    cost_usd: float | None


class Call(Struct):
    """A tool call that runs."""

    item: CommandExecution | FileChange | ToolCall
    since: float
    is_aside: bool
    output: str = ""


class Message(Struct):
    """What the model is saying, as it came; there are only ever more pieces."""

    id: str
    pieces: list[str]


class View:
    def __init__(self) -> None:
        self.thread_id = ""
        self.model = ""
        self.provider = ""
        self.effort: str | None = None
        self.mode = "default"
        self.posture = ""
        self.folder = ""
        self.window: int | None = None
        self.is_loading = True
        self.entries: list[Entry] = []
        """The newest ones; the record has all."""
        self.earlier = 0
        """How many items there are on the record before the first entry."""
        self.message: Message | None = None
        self.thinking = ""
        """The newest of what the model thinks."""
        self.calls: dict[str, Call] = {}
        self.plan: list[PlanStep] = []
        self.turn_id = ""
        """Of the turn that runs; empty between turns."""
        self.turn_since = 0.0
        self.usage: TokenUsage | None = None
        self.is_waiting = False
        """For the person, as the engine says."""
        self.trouble = ""
        """What went wrong and is tried again."""
        self.asked = 0
        """How many questions wait for the person."""
        self.following: Holder | None = None
        """The other process that drives the thread; here it is only shown."""
        self.goal: ThreadGoal | None = None
        """What the thread works at by itself, as far as it was told."""
        self.listeners: list[Callable[[Any], None]] = []
        """Whoever waits for an event."""
        self._usage_before: TokenUsage | None = None
        self._begun: str = ""
        """The newest turn that was told of, also when it is over."""

    @property
    def is_working(self) -> bool:
        return bool(self.turn_id)

    def open(self, started: ThreadStartResponse, page: ItemListResponse | None = None) -> None:
        """Another thread from now on; its entries begin anew, with the end of what it said before."""
        self.turn_id = ""
        self.usage = self._usage_before = self.goal = None
        self.plan, self.message, self.thinking = [], None, ""
        self.calls.clear()
        self.entries.clear()
        self.earlier = 0
        if page is not None:
            self.recall(page)
        self.take(started)

    def take(self, started: ThreadStartResponse) -> None:
        """What holds in the thread, and who drives it."""
        self.thread_id = started.thread.id
        self.model, self.provider = started.model, started.model_provider
        self.effort = started.reasoning_effort
        self.mode = getattr(started, "permission_mode", None) or "default"
        self.posture = str(started.posture)
        self.folder = started.cwd
        self.following = started.following
        if self.following is not None and started.thread.status.type == ACTIVE:
            self.turn_id = self.entries[-1].turn_id if self.entries else ""
            self.turn_since = time.monotonic()

    def recall(self, page: ItemListResponse) -> None:
        """What the thread said at an earlier time: the end of it. Asked for again, what is new in it."""
        if not self.entries:
            self.earlier = page.offset
        known = {getattr(entry.body, "id", None) for entry in self.entries}
        self.entries += [Entry(placed.item, placed.turn_id) for placed in page.data if placed.item.id not in known]

    def forget(self, count: int) -> None:
        """So many of the first entries are only on the record from now on."""
        self.earlier += sum(is_recorded(entry) for entry in self.entries[:count])
        del self.entries[:count]

    def _knows(self, item: Item) -> bool:
        """Whoever watches may be told what was on the page that was read meanwhile."""
        return self.following is not None and any(
            getattr(entry.body, "id", None) == item.id for entry in self.entries[-RECENT_MAX:]
        )

    def begin(self, turn_id: str) -> None:
        """A turn runs from now on, unless it was told of before: whoever starts one may hear it twice."""
        if turn_id != self._begun:
            self.turn_id, self._begun = turn_id, turn_id
            self.turn_since = time.monotonic()
            self._usage_before, self.trouble = self.usage, ""

    def put(self, body: Any) -> None:
        """Something of the chat's own."""
        self.entries.append(Entry(body, self.turn_id))

    def see(self, notification: Notification) -> None:
        event = notification.params
        for listen in list(self.listeners):
            listen(event)
        about = getattr(event, "thread_id", None)
        is_aside = bool(self.thread_id) and about not in (None, self.thread_id)
        match event:
            case ItemStarted(item=CommandExecution() | FileChange() | ToolCall() as item):
                self.calls[item.id] = Call(item, time.monotonic(), is_aside)
            case ItemCompleted(item=CommandExecution() | FileChange() | ToolCall() as item):
                self.calls.pop(item.id, None)
                if not self._knows(item):
                    self.entries.append(Entry(item, event.turn_id, is_aside))
            case CommandOutputDelta() if event.item_id in self.calls:
                call = self.calls[event.item_id]
                call.output = (call.output + event.delta)[-TAIL_LENGTH_MAX:]
            case Warned():
                self.put(Notice(for_chat(event.message), "warn"))
            case _ if is_aside:
                pass  # What a sub-agent says is for the model that sent it.
            case _:
                self._hear(event)

    def _hear(self, event: Any) -> None:
        match event:
            case AgentMessageDelta() | ReasoningTextDelta():
                self._grow(event)
            case ItemStarted(item=item):
                self._begin(item)
            case ItemCompleted(item=item):
                self._finish(item, event.turn_id)
            case TurnStarted(turn=turn):
                self.begin(turn.id)
            case TurnCompleted(turn=turn):
                self._end(turn)
            case TurnTroubled():
                self.trouble = _trouble(event) if event.will_retry else ""
                self.message = None
            case McpProgress() if event.item_id in self.calls:
                self.calls[event.item_id].output = event.message
            case _:
                self._note(event)

    def _grow(self, event: AgentMessageDelta | ReasoningTextDelta) -> None:
        if isinstance(event, ReasoningTextDelta):
            self.thinking = (self.thinking + event.delta)[-TAIL_LENGTH_MAX:]
            return
        if self.message is None or self.message.id != event.item_id:
            self.message = Message(event.item_id, [])
        self.message.pieces.append(event.delta)
        self.thinking = ""

    def _note(self, event: Any) -> None:
        """What holds from now on."""
        match event:
            case TokenUsageUpdated():
                self.usage = event.token_usage
                self.window = event.token_usage.model_context_window or self.window
            case PlanUpdated():
                self.plan = event.plan
            case ThreadStatusChanged():
                self.is_waiting = bool(event.status.active_flags)
            case ThreadSettingsUpdated():
                self.settings(event.thread_settings)
            case GoalUpdated():
                before, self.goal = self.goal, event.goal
                if before is None or (before.objective, before.status) != (event.goal.objective, event.goal.status):
                    self.put(event.goal)
            case GoalCleared():
                self.goal = None
            case _:
                pass

    def settings(self, told: Any) -> None:
        """What holds in the thread from now on."""
        self.model, self.provider, self.effort = told.model, told.model_provider, told.effort
        self.mode, self.posture = told.permission_mode, str(told.posture)

    def _begin(self, item: Item) -> None:
        """A message of which a part was said before we listened comes with that part."""
        if isinstance(item, AgentMessage) and (self.message is None or self.message.id != item.id):
            self.message = Message(item.id, [item.text])

    def _finish(self, item: Item, turn_id: str) -> None:
        if self._knows(item):
            return
        match item:
            case UserMessage() | AgentMessage():
                self.entries.append(Entry(item, turn_id))
                if self.message is not None and self.message.id == item.id:
                    self.message = None
            case Reasoning():
                self.thinking = ""
                self.entries.append(Entry(item, turn_id))
            case _:
                self.entries.append(Entry(item, turn_id))
        self.trouble = ""

    def _end(self, turn: Turn) -> None:
        self.cut_off()
        self.entries.append(Entry(TurnEnd(turn, self.turn_tokens, self.turn_cost), turn.id))

    def cut_off(self) -> None:
        """Nobody says any more how the turn goes on."""
        self.turn_id, self.is_waiting = "", False
        self.message, self.thinking, self.trouble = None, "", ""
        self.calls.clear()

    @property
    def turn_tokens(self) -> int:
        """What the turn has used up so far."""
        before = self._usage_before.total.total_tokens if self._usage_before else 0
        return self.usage.total.total_tokens - before if self.usage else 0

    @property
    def turn_cost(self) -> float | None:
        if self.usage is None or self.usage.cost_usd is None:
            return None
        before = self._usage_before.cost_usd if self._usage_before else 0.0
        return self.usage.cost_usd - (before or 0.0)

    @property
    def context_share(self) -> float | None:
        """How much of what the model can hold is taken, from 0 to 1."""
        if self.usage is None or not self.window:
            return None
        return min(self.usage.last.total_tokens / self.window, 1.0)


def _trouble(event: TurnTroubled) -> str:
    """What went wrong, and after which of how many attempts."""
    attempt = (event.error.additional_details or "").partition(" ")[0]
    return f"{attempt} · {event.error.message}" if attempt else event.error.message
