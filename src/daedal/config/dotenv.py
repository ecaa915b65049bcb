"""Which saved keys does the user have? `~/.daedal/.env`: `KEY=VALUE` lines, read whole and written one key at a time.

`export` may stand in front. Single quotes keep everything, double quotes know the escapes of n, r, t and of the signs
that need one; a bare value ends before ` #`. Nothing is expanded. A project's own `.env` is no business of this file:
it never holds provider keys.
"""

import os
import re
import stat
from collections.abc import Mapping

from msgspec import Struct

from daedal.config.reading import read_text
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_LINE = rf"(?s)([ \t]*(?:export[ \t]+)?)({_NAME})[ \t]*=(.*)"
_DOUBLE = r'"((?:\\.|[^"\\])*)"[ \t]*(?:#.*)?'
_SINGLE = r"'([^']*)'[ \t]*(?:#.*)?"
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "$": "$"}


class Dotenv(Struct, frozen=True):
    values: dict[str, str]
    warnings: list[str]


def read_dotenv(path: str) -> Dotenv:
    """What the file holds; nothing where there is none. Raises ConfigurationError, which never quotes a line."""
    text = read_text(path)
    if text is None:
        return Dotenv({}, [])
    values: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            name, value = _pair(line.rstrip("\r"), f"{path}:{number}")
            values[name] = value
    return Dotenv(values, _warnings(path))


def write_dotenv(path: str, values: Mapping[str, str]) -> None:
    """Sets the given keys and keeps every other line and comment. Raises ConfigurationError."""
    from daedal.config.writing import replace_file

    text = read_text(path) or ""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines: list[str] = re.findall(r"[^\n]*\n|[^\n]+", text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    for name, value in values.items():
        lines = _with(lines, name, _written(name, value), newline)
    replace_file(path, "".join(lines).encode())


def _pair(line: str, where: str) -> tuple[str, str]:
    match = re.fullmatch(_LINE, line)
    if match is None:
        raise ConfigurationError(say("config.dotenv_line", where=where))
    raw = match[3].strip(" \t")
    if raw[:1] not in ("'", '"'):
        return match[2], re.split(r"[ \t]#", match[3], maxsplit=1)[0].strip(" \t")
    quoted = re.fullmatch(_DOUBLE if raw[0] == '"' else _SINGLE, raw)
    if quoted is None:
        raise ConfigurationError(say("config.dotenv_quote", where=where))
    return match[2], _unescaped(quoted[1]) if raw[0] == '"' else quoted[1]


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), text)


def _written(name: str, value: str) -> str:
    has_stray_bytes = any("\ud800" <= character <= "\udfff" for character in value)
    if not re.fullmatch(_NAME, name) or "\0" in value or has_stray_bytes:
        raise ConfigurationError(say("config.dotenv_value", name=name))
    if re.fullmatch(r"[A-Za-z0-9_./:+=@%,-]*", value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def _with(lines: list[str], name: str, written: str, newline: str) -> list[str]:
    """The lines with the key set where it last stood; earlier lines of the same key had no effect and go."""
    own = [index for index, line in enumerate(lines) if (match := re.match(_LINE, line)) and match[2] == name]
    if not own:
        return [*lines, f"{name}={written}{newline}"]
    kept = [line for index, line in enumerate(lines) if index not in own[:-1]]
    index = own[-1] - (len(own) - 1)
    match = re.match(_LINE, kept[index])
    kept[index] = f"{match[1] if match else ''}{name}={written}{newline}"
    return kept


def _warnings(path: str) -> list[str]:
    if os.name != "posix":
        return []
    found = os.stat(path)
    warnings = [say("config.dotenv_mode", path=path)] if stat.S_IMODE(found.st_mode) & 0o077 else []
    # Walls close a file by its path, so whoever can reach another name of it reads the keys there.
    return warnings if found.st_nlink == 1 else [*warnings, say("config.dotenv_linked", path=path)]
