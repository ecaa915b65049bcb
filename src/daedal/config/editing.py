"""How is one setting in a TOML file changed? By replacing exactly its characters; every other byte stays.

What cannot be done safely (arrays of tables, tables written in a way that leaves no place for the key) is refused.
Before anything is written, the new text is parsed again: it must say what the old one said plus the one change, and
it must fit the schema.
"""

import os
from typing import Any, cast

from msgspec import Struct

from daedal.config.checking import check, unknown_key
from daedal.config.home import PROJECT_FILE
from daedal.config.keys import MISSING, Path, changed, dotted, parse_key, quoted
from daedal.config.layers import Layer, OriginKind
from daedal.config.lines import Mark, MarkKind, marks
from daedal.config.reading import read_ordinary, read_text
from daedal.config.schema import Node, Shape, describe, find
from daedal.config.toml_file import parse_toml
from daedal.config.wording import expected, fits, found
from daedal.config.writing import replace_file, replace_project_file
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def set_value(file: str, key: str, value_text: str, schema: type[Struct]) -> Any:
    """Sets a key to a value written as TOML, where a bare word is text. Returns the value as plain data.

    Raises ConfigurationError, and then has changed nothing.
    """
    path, node = settable(file, key, schema)
    if _is_projects(file) and _is_users_alone(schema, path):
        raise ConfigurationError(say("config.users_alone", setting=key, path=file))
    value, literal = _literal(path, value_text, node)
    text = read_text(file) or ""
    before = parse_toml(text, file)
    spot = spot_of(text, path)
    if spot is None:
        after = with_key(text, path, literal)
    else:
        after = text[: spot.value_start] + literal + text[spot.value_end :]
    save(file, key, schema, before=text, after=after, meant=changed(before, path, value))
    return value


def unset(file: str, key: str, schema: type[Struct]) -> None:
    """Removes a key with its line. Raises ConfigurationError, and then has changed nothing."""
    path, _ = settable(file, key, schema)
    text = read_text(file) or ""
    before = parse_toml(text, file)
    spot = spot_of(text, path)
    if spot is None:
        raise ConfigurationError(say("config.not_set", setting=key, path=file))
    if spot.kind is not MarkKind.KEY:
        raise ConfigurationError(say("config.edit_by_hand", setting=key, path=file))
    start = text.rfind("\n", 0, spot.start) + 1
    end = text.find("\n", spot.value_end) + 1 or len(text)
    after = text[:start] + text[end:]
    save(file, key, schema, before=text, after=after, meant=changed(before, path, MISSING))


def settable(file: str, key: str, schema: type[Struct]) -> tuple[Path, Node]:
    """The key's path and node, where it names one single setting."""
    path = parse_key(key)
    root = describe(schema)
    around = [find(root, path[:depth]) for depth in range(1, len(path) + 1)]
    if any(node is not None and node.shape is Shape.TABLES for node in around):
        raise ConfigurationError(say("config.edit_tables", setting=key, path=file))
    node = around[-1]
    if node is None:
        raise ConfigurationError(unknown_key(root, path))
    if node.shape is Shape.TABLE:
        raise ConfigurationError(say("config.edit_table", setting=key, keys=", ".join(node.fields)))
    return path, node


def _is_projects(file: str) -> bool:
    return os.path.basename(file) == PROJECT_FILE


def _is_users_alone(schema: type[Struct], path: Path) -> bool:
    around = [find(describe(schema), path[:depth]) for depth in range(1, len(path) + 1)]
    return any(node is not None and node.user_only for node in around)


def _literal(path: Path, given: str, node: Node) -> tuple[Any, str]:
    """The value, and how it is written: as the TOML it is where that fits, else as text."""
    candidates = _parsed(given)
    is_bare = given.lstrip()[:1] not in ("'", '"', "[", "{")
    if is_bare:
        candidates.append((given, literal_of(path, given)))
    if not candidates:
        raise ConfigurationError(say("config.value_invalid", setting=dotted(path)))
    for value, literal in candidates:
        if fits(value, node):
            return value, literal
    raise ConfigurationError(
        say("config.mismatch", setting=dotted(path), expected=expected(node), found=found(candidates[0][0], node))
    )


def _parsed(given: str) -> list[tuple[Any, str]]:
    """The one value that the text is as TOML, without blanks and comments around it; none where it is not one."""
    statement = f"value = {given}"
    try:
        data = parse_toml(statement, "")
    except ConfigurationError:
        return []
    if list(data) != ["value"]:
        return []
    spot = next(mark for mark in marks(statement) if mark.path == ("value",))
    literal = statement[spot.value_start : spot.value_end]
    if isinstance(data["value"], str) and literal[0] not in ("'", '"'):
        return []  # A date: rather text as it was typed.
    return [(data["value"], literal)]


def literal_of(path: Path, given: str) -> str:
    """Text as TOML writes it. Raises ConfigurationError."""
    try:
        return quoted(given)
    except UnicodeEncodeError as error:
        raise ConfigurationError(say("config.value_invalid", setting=dotted(path))) from error


def spot_of(text: str, path: Path) -> Mark | None:
    """Where the text gives the path its value."""
    return next((mark for mark in marks(text) if mark.path == path and mark.kind is not MarkKind.HEADER), None)


def with_key(text: str, path: Path, literal: str) -> str:
    """The text with a new key where its table has a place for it, else with a new table at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    neighbour = _neighbour(marks(text), path[:-1])
    if neighbour is not None:
        end = _line_end(text, neighbour.value_end)
        return f"{text[:end]}{newline}{dotted(path[len(neighbour.section) :])} = {literal}{text[end:]}"
    if len(path) == 1:
        return f"{dotted(path)} = {literal}{newline}" + (newline + text if text else "")
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}[{dotted(path[:-1])}]{newline}{dotted(path[-1:])} = {literal}{newline}"


def _neighbour(found_marks: list[Mark], table: Path) -> Mark | None:
    """The line behind which a new key of the table can stand: the last under its header, else its last dotted key."""
    own = [mark for mark in found_marks if mark.kind is not MarkKind.INNER and mark.section == table]
    if own:
        return own[-1]
    alike = [
        mark
        for mark in found_marks
        if mark.kind is MarkKind.KEY and mark.path[: len(table)] == table and len(mark.section) < len(table)
    ]
    return alike[-1] if alike else None


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    if end < 0:
        return len(text)
    return end - 1 if text[end - 1] == "\r" else end


def save(file: str, key: str, schema: type[Struct], *, before: str, after: str, meant: dict[str, Any]) -> None:
    """Writes the new text if it says what is meant, and fits."""
    try:
        data = parse_toml(after, file)
    except ConfigurationError:
        data = None
    if data is None or _without_empty_tables(data) != _without_empty_tables(meant):
        raise ConfigurationError(say("config.edit_by_hand", setting=key, path=file))
    root = describe(schema)
    try:
        check(root, Layer(OriginKind.USER, data, file, after))
    except ConfigurationError:
        # Most likely it was wrong before; then the lines of the file as it is are the ones to name.
        check(root, Layer(OriginKind.USER, parse_toml(before, file), file, before))
        raise
    mark = _BYTE_ORDER_MARK if before and _has_byte_order_mark(file) else b""
    replace = replace_project_file if _is_projects(file) else replace_file
    replace(file, mark + after.encode())


def _without_empty_tables(data: dict[str, Any]) -> dict[str, Any]:
    """An empty table says nothing: whether `unset` leaves its header behind depends on how the file is written."""
    pruned: dict[str, Any] = {}
    for key, value in data.items():
        below = _without_empty_tables(cast("dict[str, Any]", value)) if isinstance(value, dict) else value
        if below != {}:
            pruned[key] = below
    return pruned


def _has_byte_order_mark(file: str) -> bool:
    return read_ordinary(file, bytes_max=3).data == _BYTE_ORDER_MARK
