"""Did a fold lose anything? Every pinned fact is looked for in the bytes that would be sent next."""

from collections.abc import Iterable

from msgspec.json import encode

from daedal.engine.fold_marks import Fact


def missing(facts: Iterable[Fact], request: bytes) -> list[Fact]:
    """The facts that are not in the request, word for word."""
    return [fact for fact in facts if _as_sent(fact.text) not in request]


def _as_sent(text: str) -> bytes:
    """As it stands inside a JSON string."""
    return encode(text.encode("utf-8", "replace").decode())[1:-1]
