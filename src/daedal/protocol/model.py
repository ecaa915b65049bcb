"""What passes between a turn and a model? A brief goes in, chunks come out, usage is counted."""

from enum import StrEnum, auto

from msgspec import UNSET, Raw, Struct, UnsetType

from daedal.protocol.content import Kept

EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""How hard a model can be told to think, least first."""


class ToolSpec(Struct, frozen=True, kw_only=True):
    """A tool as the model is told about it."""

    name: str
    description: str
    input_schema: Raw
    """JSON Schema, already serialised."""
    read_only: bool
    """Changes nothing, so adjacent calls may run together and the baseline allows it in the workspace."""
    is_concurrent: bool = False
    """May run beside other calls although it changes something: it looks after its own order."""
    is_deferred: bool = False
    """The model is told only its name, until it looks the tool up."""


class Brief(Struct, frozen=True, kw_only=True):
    """What stays the same for the whole dialogue, and so makes the cached prefix of every request."""

    system: str
    tools: list[ToolSpec]
    place: str = ""
    """Which dialogue of a run it is, for cassettes: the run's own, or that of the call which gave out a task."""


class Price(Struct, frozen=True, kw_only=True):
    """US dollars per million tokens."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0


class ModelCard(Struct, frozen=True, kw_only=True):
    """Which model answers, by all its names."""

    provider: str
    model_id: str
    """The name in settings, for instance `claude_sonnet_4`."""
    wire_model: str
    """The name on the wire, for instance `claude-sonnet-4-20250514`."""
    context_window: int = 0
    """Tokens; 0 when unknown."""
    output_tokens_max: int = 8192
    """Of one answer, with whatever is thought before it."""
    effort: str | None = None
    """How hard it was told to think; None where it was told nothing."""
    price: Price | None = None
    sees_images: bool = True

    @property
    def key(self) -> str:
        return f"{self.provider}/{self.model_id}"


class Usage(Struct, frozen=True, kw_only=True):
    """Tokens of one or several calls. `input_tokens` leaves out what was read from or written to a cache."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    billed_usd: float | UnsetType = UNSET
    """What a guest says that it cost, which knows better than a list of prices."""

    @property
    def prompt_tokens(self) -> int:
        """All that was read, from a cache or not."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.output_tokens

    def plus(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            billed_usd=_sum(self.billed_usd, other.billed_usd),
        )

    def cost_usd(self, price: Price | None) -> float | None:
        """What it cost, or None where no price is known."""
        if self.billed_usd is not UNSET:
            return self.billed_usd
        if price is None:
            return None
        return (
            self.input_tokens * price.input
            + self.output_tokens * price.output
            + self.cache_read_tokens * price.cache_read
            + self.cache_write_tokens * price.cache_write
        ) / 1_000_000


def _sum(first: float | UnsetType, second: float | UnsetType) -> float | UnsetType:
    if first is UNSET or second is UNSET:
        return second if first is UNSET else first
    return first + second


class SideCall(Struct, frozen=True, kw_only=True):
    """A model call that a tool made on its own, as a search by the vendor does."""

    card: ModelCard
    usage: Usage
    duration_ms: int = 0


class StopReason(StrEnum):
    END_TURN = auto()
    TOOL_USE = auto()
    MAX_TOKENS = auto()
    REFUSAL = auto()


class TextDelta(Struct, frozen=True):
    text: str


class ReasoningDelta(Struct, frozen=True):
    text: str


class CallRequested(Struct, frozen=True):
    """A complete tool call; its pieces were assembled by index inside the provider."""

    id: str
    name: str
    arguments: str
    """JSON as the model wrote it; it may be malformed, and the model is then told so."""


class BlockKept(Struct, frozen=True):
    kept: Kept


class Retrying(Struct, frozen=True, kw_only=True):
    """This attempt failed and another one follows; whatever the attempt had streamed counts for nothing."""

    attempt: int
    attempts_max: int
    delay_s: float
    reason: str


class Finished(Struct, frozen=True):
    """Always the last chunk of a dialogue's `stream`."""

    stop: StopReason
    usage: Usage


Chunk = TextDelta | ReasoningDelta | CallRequested | BlockKept | Retrying | Finished
