"""What does a server tell its clients while it works? Facts, each with its method name on the wire."""

from msgspec import Struct

from daedal.protocol.items import Item, PlanStep
from daedal.protocol.model import Usage
from daedal.protocol.threads import Thread, ThreadStatus
from daedal.protocol.turns import Turn, TurnError


class ThreadStarted(Struct, rename="camel", frozen=True, kw_only=True):
    thread: Thread


class ThreadStatusChanged(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    status: ThreadStatus


class TurnStarted(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn: Turn


class TurnCompleted(Struct, rename="camel", frozen=True, kw_only=True):
    """The only end-of-turn signal, however the turn ended."""

    thread_id: str
    turn: Turn


class TurnTroubled(Struct, rename="camel", frozen=True, kw_only=True):
    """Something went wrong inside a turn; with `will_retry` the turn goes on."""

    thread_id: str
    turn_id: str
    will_retry: bool
    error: TurnError


class ItemStarted(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    item: Item
    started_at_ms: int


class ItemCompleted(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    item: Item
    completed_at_ms: int


class AgentMessageDelta(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    item_id: str
    delta: str


class ReasoningTextDelta(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    item_id: str
    delta: str
    content_index: int = 0


class TokenUsage(Struct, rename="camel", frozen=True, kw_only=True):
    total: Usage
    last: Usage
    cost_usd: float | None
    """Since the thread was loaded; None where no price is known."""
    model_context_window: int | None = None


class TokenUsageUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    token_usage: TokenUsage


class PlanUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    """The model's list of what is to be done."""

    thread_id: str
    turn_id: str
    plan: list[PlanStep]
    explanation: str | None = None


class Warned(Struct, rename="camel", frozen=True, kw_only=True):
    message: str
    thread_id: str | None = None


Event = (
    ThreadStarted
    | ThreadStatusChanged
    | TurnStarted
    | TurnCompleted
    | TurnTroubled
    | ItemStarted
    | ItemCompleted
    | AgentMessageDelta
    | ReasoningTextDelta
    | TokenUsageUpdated
    | PlanUpdated
    | Warned
)

METHODS: dict[type[Event], str] = {
    ThreadStarted: "thread/started",
    ThreadStatusChanged: "thread/status/changed",
    TurnStarted: "turn/started",
    TurnCompleted: "turn/completed",
    TurnTroubled: "error",
    ItemStarted: "item/started",
    ItemCompleted: "item/completed",
    AgentMessageDelta: "item/agentMessage/delta",
    ReasoningTextDelta: "item/reasoning/textDelta",
    TokenUsageUpdated: "thread/tokenUsage/updated",
    PlanUpdated: "turn/plan/updated",
    Warned: "warning",
}
