"""How is a thread made short again, and what fills its model's window? What faces ask about context."""

from msgspec import Struct


class ThreadCompactParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/compact/start`."""

    thread_id: str
    focus: str = ""
    """Ours: what the summary shall pay attention to above all."""


class ContextReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/context/read`, ours."""

    thread_id: str


class ContextPart(Struct, rename="camel", frozen=True, kw_only=True):
    kind: str
    """`systemPrompt`, `tools`, `instructions`, `userTurns`, `digests`, `pinned`, `replies`, `toolCalls`, `toolResults`,
    or `free`."""
    tokens: int
    """Always an estimate, such that all parts add up to what is used."""
    count: int = 0
    """How many there are of it, where that can be counted."""


class ContextReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    model: str
    model_provider: str
    context_window: int | None
    """Tokens; None where nobody has said how many fit."""
    threshold_tokens: int | None
    """Once a model call has read so many, the thread is folded. None where it never is by itself."""
    used_tokens: int
    is_estimate: bool
    """Whether `used_tokens` is one as well: the provider has not counted yet what would be sent now."""
    cached_tokens: int | None
    """How many of them the vendor had in its cache at the last call; None before the first,
    after a fold, and where the thread was not driven since it was loaded."""
    folds: int
    """How often the thread was folded so far."""
    parts: list[ContextPart]
