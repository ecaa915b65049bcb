"""What can a server ask the person, and what do they answer?"""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from msgspec import Struct


class Asked(Struct, frozen=True, kw_only=True):
    """As the hook `Elicitation` is told it."""

    server: str
    message: str
    mode: Literal["form", "url"] = "form"
    url: str | None = None
    elicitation_id: str | None = None
    requested_schema: dict[str, Any] | None = None


class Replied(Struct, frozen=True, kw_only=True):
    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


Elicit = Callable[[Asked], Awaitable[Replied]]


async def declined(asked: Asked) -> Replied:  # noqa: ARG001 - whatever it is
    """Where nobody can be asked."""
    return Replied(action="decline")
