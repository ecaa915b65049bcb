"""What of a source can be kept when parts of it do not fit? Everything else; each part left out is a warning.

A typing error in one rule must not lift the other rules, nor keep a person from working in somebody else's repository.
Of the user's own file only settings marked `lenient` are treated so; of a project's file everything is.
"""

from collections.abc import Iterable
from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.config.checking import PROBLEMS_MAX, Problem, mismatch, unknown_key
from daedal.config.keys import MISSING, Path, dotted
from daedal.config.layers import Layer
from daedal.config.schema import Node, Shape, entry_of
from daedal.config.wording import expected, fits
from daedal.protocol.catalogue import say


class Fitted(Struct, frozen=True):
    layer: Layer
    warnings: list[str]


def fitted(root: Node, layer: Layer, *, everywhere: bool) -> Fitted:
    """The layer without what does not fit. Tables that stand for additive lists become such lists."""
    sieve = _Sieve(root)
    data = sieve.kept(root, layer.data, (), lenient=everywhere)
    shown = sieve.problems[:PROBLEMS_MAX]
    origins = layer.origins([problem.path for problem in shown])
    warnings = [
        say("config.left_out", where=origin, problem=problem.text)
        for origin, problem in zip(origins, shown, strict=True)
    ]
    if len(sieve.problems) > PROBLEMS_MAX:
        warnings.append(say("config.left_out_more", file=layer.file, count=len(sieve.problems) - PROBLEMS_MAX))
    kept = cast("dict[str, Any]", {} if data is MISSING else data)
    return Fitted(msgspec.structs.replace(layer, data=kept, moved=sieve.moved), warnings)


class _Sieve:
    def __init__(self, root: Node) -> None:
        self._root = root
        self.problems: list[Problem] = []
        self.moved: dict[Path, Path] = {}

    def kept(self, node: Node, value: Any, path: Path, *, lenient: bool) -> Any:
        """The value without what does not fit, or MISSING where nothing of it does."""
        lenient = lenient or node.lenient
        if node.additive and node.keyed_by and isinstance(value, dict):
            return self._listed(node, cast("dict[str, Any]", value), path)
        if node.shape is Shape.TABLE and isinstance(value, dict):
            return self._table(node, cast("dict[str, Any]", value), path, lenient=lenient)
        if not lenient:
            return value
        if node.shape is Shape.MAP and isinstance(value, dict):
            entries = cast("dict[str, Any]", value).items()
            return {key: entry for key, entry in self._entries(node, entries, path) if entry is not MISSING}
        if node.shape is Shape.TABLES and isinstance(value, list):
            return self._list(
                path, [kept for _, kept in self._entries(node, enumerate(cast("list[Any]", value)), path)]
            )
        if node.shape is Shape.VALUE and fits(value, node):
            return value
        if node.shape is Shape.VALUE and isinstance(value, list) and fits([], node):
            return self._list(
                path, [self._item(node, item, (*path, n)) for n, item in enumerate(cast("list[Any]", value))]
            )
        return self._left_out(mismatch(node, value, path))

    def _table(self, node: Node, table: dict[str, Any], path: Path, *, lenient: bool) -> Any:
        kept: dict[str, Any] = {}
        for key, value in table.items():
            field = node.fields.get(key)
            if field is None and lenient:
                # To look for a likely meaning takes a while; a stranger's file can have any number of such keys.
                is_shown = len(self.problems) < PROBLEMS_MAX
                self._left_out(Problem((*path, key), unknown_key(self._root, (*path, key)) if is_shown else ""))
            else:
                below = value if field is None else self.kept(field, value, (*path, key), lenient=lenient)
                if below is not MISSING:
                    kept[key] = below
        for key, field in node.fields.items():
            if lenient and field.required and key not in kept:
                setting = dotted((*path, key))
                return self._left_out(Problem(path, say("config.missing", setting=setting, expected=expected(field))))
        return kept

    def _entries(self, node: Node, entries: Iterable[tuple[str | int, Any]], path: Path) -> list[tuple[str | int, Any]]:
        item = cast("Node", node.item)
        return [(key, self.kept(item, entry, (*path, key), lenient=True)) for key, entry in entries]

    def _item(self, node: Node, item: Any, path: Path) -> Any:
        return item if fits([item], node) else self._left_out(mismatch(entry_of(node), item, path))

    def _list(self, path: Path, entries: list[Any]) -> list[Any]:
        kept: list[Any] = []
        for index, entry in enumerate(entries):
            if entry is not MISSING:
                if len(kept) != index:
                    self.moved[(*path, len(kept))] = (*path, index)
                kept.append(entry)
        return kept

    def _listed(self, node: Node, table: dict[str, Any], path: Path) -> list[Any]:
        """A table of lists as one list whose entries name their key."""
        kept: list[Any] = []
        for key, entries in table.items():
            if not isinstance(entries, list):
                self._left_out(mismatch(node, entries, (*path, key)))
                continue
            for index, entry in enumerate(cast("list[Any]", entries)):
                if not isinstance(entry, dict):
                    self._left_out(mismatch(node, entry, (*path, key, index)))
                    continue
                self.moved[(*path, len(kept))] = (*path, key, index)
                kept.append({node.keyed_by: key, **cast("dict[str, Any]", entry)})
        return kept

    def _left_out(self, problem: Problem) -> Any:
        self.problems.append(problem)
        return MISSING
