"""What stands under a key of a server's entry? Its value where it is of the right kind, else a flaw to be named."""

from collections.abc import Mapping
from typing import Any, cast

from daedal.protocol.catalogue import say

SECONDS_MAX = 86_400 * 7


class Flaw(Exception):
    """Why an entry is none; the text is for the person."""


def as_table(said: Any) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any]", said) if isinstance(said, Mapping) else None


def seconds_of(value: Any, key: str) -> float:
    """0 leaves it to the default."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= SECONDS_MAX:
        raise Flaw(say("mcp.bad_key", key=key, wanted=say("mcp.wanted.seconds")))
    return float(value)


def text_of(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key, "")
    if not isinstance(value, str):
        raise Flaw(say("mcp.bad_key", key=key, wanted=say("mcp.wanted.text")))
    return value


def texts_of(said: Mapping[str, Any], key: str) -> list[str]:
    value = said.get(key, [])
    if not isinstance(value, list) or not all(isinstance(word, str) for word in cast("list[Any]", value)):
        raise Flaw(say("mcp.bad_key", key=key, wanted=say("mcp.wanted.texts")))
    return cast("list[str]", value)


def table_of(said: Mapping[str, Any], key: str) -> dict[str, str]:
    value = said.get(key, {})
    if not isinstance(value, Mapping):
        raise Flaw(say("mcp.bad_key", key=key, wanted=say("mcp.wanted.table")))
    table: dict[str, str] = {}
    for name, below in cast("Mapping[str, Any]", value).items():
        if isinstance(below, bool) or not isinstance(below, str | int | float):
            raise Flaw(say("mcp.bad_key", key=f"{key}.{name}", wanted=say("mcp.wanted.text")))
        table[name] = str(below)
    return table


def url_of(text: str) -> str:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or any(character.isspace() for character in text):
        raise Flaw(say("mcp.bad_url"))
    return text
