"""How does an entry join or leave a list in a TOML file? Only its own characters change; comments and order stay."""

from typing import Any, cast

from msgspec import Struct

from daedal.config.editing import literal_of, save, settable, spot_of, with_key
from daedal.config.keys import MISSING, at, changed
from daedal.config.lines import Mark, MarkKind, marks
from daedal.config.reading import read_text
from daedal.config.schema import Node
from daedal.config.toml_file import parse_toml
from daedal.config.wording import fits
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError


def add_to_list(file: str, key: str, value: str, schema: type[Struct]) -> bool:
    """Adds text at the end of a list. False where it is there already. Raises ConfigurationError, changing nothing."""
    path, node = settable(file, key, schema)
    text = read_text(file) or ""
    data = parse_toml(text, file)
    known = _entries(at(data, path), key, node, file)
    if value in known:
        return False
    literal = literal_of(path, value)
    spot = spot_of(text, path)
    after = with_key(text, path, f"[{literal}]") if spot is None else _appended(text, spot, literal)
    save(file, key, schema, before=text, after=after, meant=changed(data, path, [*known, value]))
    return True


def remove_from_list(file: str, key: str, value: str, schema: type[Struct]) -> bool:
    """Takes text out of a list, as often as it is there. False where it is not. Raises ConfigurationError."""
    path, node = settable(file, key, schema)
    text = read_text(file) or ""
    data = parse_toml(text, file)
    known = _entries(at(data, path), key, node, file)
    if value not in known:
        return False
    after = text
    # From the end, so that what stands before keeps its place.
    for index in reversed([index for index, entry in enumerate(known) if entry == value]):
        entry = next(mark for mark in marks(after) if mark.path == (*path, index) and mark.kind is MarkKind.INNER)
        after = _without(after, entry)
    meant = changed(data, path, [entry for entry in known if entry != value])
    save(file, key, schema, before=text, after=after, meant=meant)
    return True


def _entries(known: Any, key: str, node: Node, file: str) -> list[Any]:
    if known is MISSING:
        known = []
    if not isinstance(known, list) or not fits([""], node):
        raise ConfigurationError(say("config.no_list", setting=key, path=file))
    return cast("list[Any]", known)


def _appended(text: str, spot: Mark, literal: str) -> str:
    """The list with one more entry: on a line of its own where the last entry has one."""
    inner = [
        mark
        for mark in marks(text)
        if mark.kind is MarkKind.INNER
        and spot.value_start < mark.start < spot.value_end
        and len(mark.path) == len(spot.path) + 1
    ]
    if not inner:
        return text[: spot.value_start + 1] + literal + text[spot.value_start + 1 :]
    last = inner[-1]
    line_start = text.rfind("\n", 0, last.start) + 1
    indent = text[line_start : last.start]
    gap = f"\n{indent}" if line_start > spot.value_start and not indent.strip() else " "
    return f"{text[: last.value_end]},{gap}{literal}{text[last.value_end :]}"


def _without(text: str, entry: Mark) -> str:
    """The text without an entry and its comma, and without its line where nothing else stands on that."""
    start, end = entry.start, entry.value_end
    after = len(text) - len(text[end:].lstrip(" \t"))
    if text.startswith(",", after):
        end = after + 1
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    else:
        # The last entry without a comma behind it: the one before it may stay, but looks odd on the same line.
        before = text[:start].rstrip(" \t")
        start = len(before) - 1 if before.endswith(",") else start
    line_start = text.rfind("\n", 0, start) + 1
    if not text[line_start:start].strip() and text.startswith("\n", end) and line_start > 0:
        return text[:line_start] + text[end + 1 :]
    return text[:start] + text[end:]
