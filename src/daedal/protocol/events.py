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


class TokenCounts(Struct, rename="camel", frozen=True, kw_only=True):
    """As Codex counts: what came from or went to a cache is part of the input, reasoning is part of the output."""

    total_tokens: int
    input_tokens: int
    cached_input_tokens: int
    cache_write_input_tokens: int
    output_tokens: int
    reasoning_output_tokens: int

    @classmethod
    def of(cls, usage: Usage) -> "TokenCounts":
        taken = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
        return cls(
            total_tokens=taken + usage.output_tokens,
            input_tokens=taken,
            cached_input_tokens=usage.cache_read_tokens,
            cache_write_input_tokens=usage.cache_write_tokens,
            output_tokens=usage.output_tokens,
            reasoning_output_tokens=usage.reasoning_tokens,
        )

    def usage(self) -> Usage:
        return Usage(
            input_tokens=self.input_tokens - self.cached_input_tokens - self.cache_write_input_tokens,
            output_tokens=self.output_tokens,
            cache_read_tokens=self.cached_input_tokens,
            cache_write_tokens=self.cache_write_input_tokens,
            reasoning_tokens=self.reasoning_output_tokens,
        )


class TokenUsage(Struct, rename="camel", frozen=True, kw_only=True):
    total: TokenCounts
    last: TokenCounts
    cost_usd: float | None
    """Since the thread was loaded; None where no price is known."""
    model_context_window: int | None = None


class TokenUsageUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    token_usage: TokenUsage


class McpProgress(Struct, rename="camel", frozen=True, kw_only=True):
    """What a server says about how far a call of its tool is."""

    thread_id: str
    turn_id: str
    item_id: str
    message: str


class PlanUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    """The model's list of what is to be done."""

    thread_id: str
    turn_id: str
    plan: list[PlanStep]
    explanation: str | None = None


class DiffUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    """All file changes of the turn so far, as one patch."""

    thread_id: str
    turn_id: str
    diff: str


class RequestResolved(Struct, rename="camel", frozen=True, kw_only=True):
    """What the server asked this client needs no answer any more: somebody gave one, or it is too late."""

    thread_id: str
    request_id: int | str


class ThreadArchived(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str


class ThreadUnarchived(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str


class ThreadNamed(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    thread_name: str | None


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
    | McpProgress
    | PlanUpdated
    | DiffUpdated
    | RequestResolved
    | ThreadArchived
    | ThreadUnarchived
    | ThreadNamed
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
    McpProgress: "item/mcpToolCall/progress",
    PlanUpdated: "turn/plan/updated",
    DiffUpdated: "turn/diff/updated",
    RequestResolved: "serverRequest/resolved",
    ThreadArchived: "thread/archived",
    ThreadUnarchived: "thread/unarchived",
    ThreadNamed: "thread/name/updated",
    Warned: "warning",
}
