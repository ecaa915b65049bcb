"""How does a known credential stay out of model and ledger? It is replaced wherever text enters."""

from collections.abc import Iterable
from typing import Any, cast

SECRET_LENGTH_MIN = 8
"""Shorter values are common words as often as they are secrets."""


class Redactor:
    """Replaces the values it was told about. It never guesses: what merely looks like a secret passes."""

    def __init__(self, secrets: Iterable[tuple[str, str]]) -> None:
        """`secrets` are names of credentials with their values; a name may have several."""
        usable = {value: name for name, value in secrets if len(value) >= SECRET_LENGTH_MIN}
        # Longest first: a key that contains another must not leave its tail behind.
        self._secrets = sorted(usable.items(), key=lambda pair: -len(pair[0]))

    def __call__(self, text: str) -> str:
        for value, name in self._secrets:
            if value in text:
                text = text.replace(value, f"[REDACTED:{name}]")
        return text

    def value(self, plain: Any) -> Any:
        """The same for JSON data: every text in it, keys included."""
        match plain:
            case str():
                return self(plain)
            case list():
                return [self.value(part) for part in cast("list[Any]", plain)]
            case dict():
                return {self(str(key)): self.value(part) for key, part in cast("dict[Any, Any]", plain).items()}
            case _:
                return plain
