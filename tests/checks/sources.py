"""Where is the code, as the checks read it? Every module of src/daedal with its syntax tree."""

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "daedal"


@dataclass(frozen=True)
class Module:
    name: str
    """As it is imported: `daedal.engine.turn`."""
    source: str
    place: str = ""
    """Its file, relative to the repository."""
    is_package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, filename=self.place or self.name)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Of the whole tree: several checks walk it, and walking costs more than looking."""
        return list(ast.walk(self.tree))

    @property
    def room(self) -> str:
        """The first folder below the package; empty for the package's own files."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else ""


@cache
def modules() -> list[Module]:
    """The same ones for all checks, so that each is parsed once."""
    return list(_modules())


def parsed(found: list[Module]) -> list[Module]:
    """With their trees. Half a million nodes come and none goes: looking for garbage meanwhile doubles the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        assert all(module.nodes for module in found)
    finally:
        if was_enabled:
            gc.enable()
    return found


def _modules() -> Iterator[Module]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        yield Module(
            name=".".join(parts[:-1] if is_package else parts),
            source=path.read_text("utf-8"),
            place=path.relative_to(ROOT).as_posix(),
            is_package=is_package,
        )
