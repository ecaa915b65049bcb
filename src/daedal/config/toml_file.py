"""What does a TOML file say? Nothing where there is none; otherwise plain data, or an error that names the place."""

import re
from typing import Any, cast

import msgspec

from daedal.config.layers import Layer, OriginKind
from daedal.config.reading import read_text
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

NESTING_MAX = 64
"""Nobody nests settings this deep by hand; with a bound, the walks over them can be recursive."""


def file_layer(kind: OriginKind, path: str | None) -> Layer:
    """What the file says, as it stands. Raises ConfigurationError."""
    text = read_text(path) if path is not None else None
    if path is None or text is None:
        return Layer(kind, {}, path)
    return Layer(kind, parse_toml(text, path), path, text)


def parse_toml(text: str, path: str) -> dict[str, Any]:
    """Data as JSON knows it, so that a file and its stored snapshot read the same. Raises ConfigurationError."""
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(_invalid(text, path, str(error))) from error
    except (RecursionError, ValueError) as error:
        # ValueError: a number of thousands of digits, which Python refuses to read.
        raise ConfigurationError(say("config.beyond_reading", path=path)) from error
    if is_deep(data):
        raise ConfigurationError(say("config.beyond_reading", path=path))
    return msgspec.to_builtins(data)


def _invalid(text: str, path: str, message: str) -> str:
    reason, _, place = message.rpartition(" (at ")
    numbers = re.fullmatch(r"line (\d+), column (\d+)\)", place)
    if numbers:
        line, column = int(numbers[1]), int(numbers[2])
    else:  # "at end of document" is the only other place that the parser names.
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    return say("config.invalid_toml", path=path, line=line, column=column, reason=reason or message)


def is_deep(data: dict[str, Any]) -> bool:
    """Whether plain data is nested deeper than anybody nests settings."""
    level: list[Any] = [data]
    for _ in range(NESTING_MAX):
        tables = [cast("dict[str, Any]", value).values() for value in level if isinstance(value, dict)]
        arrays = [cast("list[Any]", value) for value in level if isinstance(value, list)]
        level = [below for group in (*tables, *arrays) for below in group]
    return bool(level)
