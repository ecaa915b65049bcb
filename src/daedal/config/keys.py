"""How is the place of a setting written? `agent.max_steps`, `providers[0].name`, `limits."two words"`."""

import re
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

Path = tuple[str | int, ...]
"""Names of tables and keys, and positions in arrays of tables."""

MISSING: Any = object()

# Compiled when first used: a start with flags loads this file, and hardly ever writes or reads a key.
_BARE = r"[A-Za-z0-9_-]+"
_STEP = r"""(\.?)([A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')|\[(\d{1,9})\]"""


def dotted(path: Path) -> str:
    """The path as a person writes it; the text is also a valid TOML key where no position is in it."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{quoted_key(step)}" if text else quoted_key(step)
    return text


def quoted_key(name: str) -> str:
    return name if re.fullmatch(_BARE, name) else quoted(name)


def quoted(text: str) -> str:
    """A TOML string. What a terminal would not print is escaped, so a strange key cannot act on the screen."""
    escaped = msgspec.json.encode(text).decode()
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped)


def parse_key(text: str) -> Path:
    """The opposite of `dotted`. Raises ConfigurationError."""
    steps: list[str | int] = []
    position = 0
    while position < len(text):
        match = re.compile(_STEP).match(text, position)
        if match is None or (match[3] is None and bool(match[1]) != bool(steps)):
            raise ConfigurationError(say("config.bad_key", setting=text))
        steps.append(int(match[3]) if match[3] is not None else _name(match[2]))
        position = match.end()
    if not steps or isinstance(steps[0], int):
        raise ConfigurationError(say("config.bad_key", setting=text))
    return tuple(steps)


def _name(token: str) -> str:
    if token[0] == '"':
        import tomllib

        try:
            return tomllib.loads(f"name = {token}")["name"]
        except tomllib.TOMLDecodeError as error:
            raise ConfigurationError(say("config.bad_key", setting=token)) from error
    return token[1:-1] if token[0] == "'" else token


def at(data: Any, path: Path) -> Any:
    """What plain data holds at the path, else MISSING."""
    for step in path:
        if isinstance(data, Mapping) and isinstance(step, str):
            data = cast("Mapping[str, Any]", data).get(step, MISSING)
        elif isinstance(data, list) and isinstance(step, int) and step < len(cast("list[Any]", data)):
            data = cast("list[Any]", data)[step]
        else:
            return MISSING
    return data


def nest(path: Path, value: Any) -> dict[str, Any]:
    """Tables inside tables that hold nothing but the value."""
    for step in reversed(path):
        value = {step: value}
    return value


def changed(data: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy of plain data with the value at the path; MISSING takes the key away."""
    key, rest = str(path[0]), path[1:]
    copy = dict(data)
    if rest:
        below = copy.get(key)
        copy[key] = changed(cast("Mapping[str, Any]", below) if isinstance(below, Mapping) else {}, rest, value)
    elif value is MISSING:
        copy.pop(key, None)
    else:
        copy[key] = value
    return copy
