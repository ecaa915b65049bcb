"""How does a server join or leave the `[[plugins]]` of a TOML file? Its own lines come and go, all others stay."""

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from daedal.config.editing import save
from daedal.config.keys import MISSING, changed, quoted, quoted_key
from daedal.config.lines import Mark, MarkKind, marks
from daedal.config.reading import read_text
from daedal.config.toml_file import parse_toml
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

PLUGINS = "plugins"


def add_plugin(file: str, fields: Mapping[str, Any], schema: type[Struct]) -> None:
    """Adds a table with a `name`. The same one again changes nothing. Raises ConfigurationError."""
    before = read_text(file) or ""
    data = parse_toml(before, file)
    known = _tables(data, file)
    if any(table == fields for table in known):
        return
    if any(table.get("name") == fields["name"] for table in known):
        raise ConfigurationError(say("config.table_exists", array=PLUGINS, name=fields["name"], path=file))
    lines = [f"[[{PLUGINS}]]", *(f"{quoted_key(key)} = {_literal(value)}" for key, value in fields.items())]
    after = (before.rstrip() + "\n\n" if before.strip() else "") + "\n".join(lines) + "\n"
    meant = changed(data, (PLUGINS,), [*known, dict(fields)])
    save(file, PLUGINS, schema, before=before, after=after, meant=meant)


def remove_plugin(file: str, name: str, schema: type[Struct]) -> bool:
    """Whether there was one. Raises ConfigurationError, and then has changed nothing."""
    before = read_text(file) or ""
    data = parse_toml(before, file)
    known = _tables(data, file)
    index = next((index for index, table in enumerate(known) if table.get("name") == name), None)
    if index is None:
        return False
    rest = [table for position, table in enumerate(known) if position != index]
    meant = changed(data, (PLUGINS,), rest or MISSING)
    save(file, PLUGINS, schema, before=before, after=_without(before, index, file), meant=meant)
    return True


def _tables(data: dict[str, Any], file: str) -> list[dict[str, Any]]:
    known = data.get(PLUGINS, [])
    if not isinstance(known, list) or not all(isinstance(table, dict) for table in cast("list[Any]", known)):
        raise ConfigurationError(say("config.edit_by_hand", setting=PLUGINS, path=file))
    return cast("list[dict[str, Any]]", known)


def _without(text: str, index: int, file: str) -> str:
    headers = [mark for mark in marks(text) if mark.kind is MarkKind.HEADER]
    own = next((mark for mark in headers if mark.path == (PLUGINS, index)), None)
    if own is None:  # written as a list of inline tables
        raise ConfigurationError(say("config.edit_by_hand", setting=PLUGINS, path=file))
    following = next((mark for mark in headers if mark.start > own.start and not _is_below(mark, own)), None)
    start = text.rfind("\n", 0, own.start) + 1
    end = len(text) if following is None else _comment_start(text, following.start)
    kept = text[:start] + text[end:]
    return kept.rstrip() + "\n" if following is None and kept.strip() else kept


def _is_below(mark: Mark, table: Mark) -> bool:
    return mark.path[: len(table.path)] == table.path


def _comment_start(text: str, header: int) -> int:
    """Comments right above a header belong to it."""
    start = text.rfind("\n", 0, header) + 1
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return start


def _literal(value: Any) -> str:
    match value:
        case str():
            return quoted(value)
        case bool():
            return "true" if value else "false"
        case list():
            return "[" + ", ".join(_literal(entry) for entry in cast("list[Any]", value)) + "]"
        case dict():
            pairs = (f"{quoted_key(key)} = {_literal(below)}" for key, below in cast("dict[str, Any]", value).items())
            return "{ " + ", ".join(pairs) + " }"
        case _:
            return str(value)
