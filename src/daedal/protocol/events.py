"""What does a server tell its clients while it works? Facts, each with its method name on the wire."""

from typing import Literal

from msgspec import Struct

from daedal.protocol.goals import GoalCleared, GoalUpdated
from daedal.protocol.items import Item, PlanStep
from daedal.protocol.model import Usage
from daedal.protocol.thread_settings import ThreadSettings
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


class CommandOutputDelta(Struct, rename="camel", frozen=True, kw_only=True):
    """What a running command printed, both streams as they come. Of a flood the middle is left out.

    The item's `aggregatedOutput` at its end is what was printed.
    """

    thread_id: str
    turn_id: str
    item_id: str
    delta: str


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


class ThreadSettingsUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    """What holds for the thread from now on, whoever changed it."""

    thread_id: str
    thread_settings: ThreadSettings


class AccountLoginCompleted(Struct, rename="camel", frozen=True, kw_only=True):
    login_id: str | None
    success: bool
    error: str | None = None


class McpLoginCompleted(Struct, rename="camel", frozen=True, kw_only=True):
    """Somebody logged in at an MCP server, or did not."""

    name: str
    success: bool
    error: str | None = None


class AccountUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    auth_mode: Literal["apikey", "chatgpt"] | None
    plan_type: str | None = None


class ThreadRewound(Struct, rename="camel", frozen=True, kw_only=True):
    """The thread went back; ours. These turns are not part of its conversation any more.

    Where a rewind was undone, turns of before it are part of it again: whoever shows them reads the thread.
    """

    thread_id: str
    turn_id: str
    """Of the rewind."""
    before_turn_id: str
    turns: list[str]
    conversation: bool
    files: bool


class FollowEnded(Struct, rename="camel", frozen=True, kw_only=True):
    """Nobody drives the thread any more that was only watched here; ours. Whoever resumes it now drives it."""

    thread_id: str


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
    | CommandOutputDelta
    | TokenUsageUpdated
    | McpProgress
    | PlanUpdated
    | DiffUpdated
    | RequestResolved
    | ThreadArchived
    | ThreadUnarchived
    | ThreadNamed
    | ThreadRewound
    | FollowEnded
    | ThreadSettingsUpdated
    | GoalUpdated
    | GoalCleared
    | AccountLoginCompleted
    | AccountUpdated
    | McpLoginCompleted
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
    CommandOutputDelta: "item/commandExecution/outputDelta",
    TokenUsageUpdated: "thread/tokenUsage/updated",
    McpProgress: "item/mcpToolCall/progress",
    PlanUpdated: "turn/plan/updated",
    DiffUpdated: "turn/diff/updated",
    RequestResolved: "serverRequest/resolved",
    ThreadArchived: "thread/archived",
    ThreadUnarchived: "thread/unarchived",
    ThreadNamed: "thread/name/updated",
    ThreadRewound: "thread/rewound",
    FollowEnded: "thread/follow/ended",
    ThreadSettingsUpdated: "thread/settings/updated",
    GoalUpdated: "thread/goal/updated",
    GoalCleared: "thread/goal/cleared",
    AccountLoginCompleted: "account/login/completed",
    AccountUpdated: "account/updated",
    McpLoginCompleted: "mcpServer/oauthLogin/completed",
    Warned: "warning",
}
