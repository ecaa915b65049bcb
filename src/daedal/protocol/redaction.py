"""How does a known credential stay out of model and ledger? It is replaced wherever text enters."""

from collections.abc import Mapping

SECRET_LENGTH_MIN = 8
"""Shorter values are common words as often as they are secrets."""


class Redactor:
    """Replaces the values it was told about. It never guesses: what merely looks like a secret passes."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """`secrets` maps the name of a credential to its value."""
        usable = {value: name for name, value in secrets.items() if len(value) >= SECRET_LENGTH_MIN}
        # Longest first: a key that contains another must not leave its tail behind.
        self._secrets = sorted(usable.items(), key=lambda pair: -len(pair[0]))

    def __call__(self, text: str) -> str:
        for value, name in self._secrets:
            if value in text:
                text = text.replace(value, f"[REDACTED:{name}]")
        return text
