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

    def learn(self, name: str, value: str) -> None:
        """From now on this is replaced too: a token that was obtained or renewed, before anybody uses it."""
        if len(value) >= SECRET_LENGTH_MIN and all(value != known for known, _ in self._secrets):
            self._secrets = sorted([*self._secrets, (value, name)], key=lambda pair: -len(pair[0]))

    def __call__(self, text: str) -> str:
        for value, name in self._secrets:
            if value in text:
                text = text.replace(value, f"[REDACTED:{name}]")
        return text

    def shown_until(self, text: str) -> int:
        """Up to where a text can be shown while more of it may come: what follows may be the beginning of a secret."""
        until = min((_dangling(text, value) for value, _ in self._secrets), default=len(text))
        is_moving = True
        while is_moving:
            # A whole secret that reaches beyond it is not cut in two.
            is_moving = False
            for value, _ in self._secrets:
                start = text.find(value, max(0, until - len(value) + 1))
                if 0 <= start < until < start + len(value):
                    until, is_moving = start, True
        return until

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


def _dangling(text: str, secret: str) -> int:
    """Where the longest beginning of the secret starts with which the text ends; its end where it ends with none."""
    for length in range(min(len(secret) - 1, len(text)), 0, -1):
        if text.endswith(secret[:length]):
            return len(text) - length
    return len(text)
