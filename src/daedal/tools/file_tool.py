"""What do the tools that name files have in common? They keep to the walls, and to the paths that were judged."""

from collections.abc import Mapping
from typing import Any

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench
from daedal.sandbox import Answer, Walls, resolve
from daedal.tools.errors import Blocked, Refused
from daedal.tools.judged import JudgedPaths
from daedal.tools.tool import BuiltinTool, Input


class FileTool(BuiltinTool[Input]):
    """Resolves the names in a call once and asks the walls; subclasses then open exactly that path."""

    def __init__(self, spec: ToolSpec, input_type: type[Input], walls: Walls) -> None:
        super().__init__(spec, input_type)
        self.walls = walls
        self._judged = JudgedPaths()

    def paths(self, arguments: Mapping[str, Any], cwd: str) -> list[str]:
        names = self.names(arguments)
        try:
            paths = [resolve(name, cwd) for name in names]
        except (ValueError, OSError):
            return []  # no path that anything could open; `run` says so to the model
        for name, path in zip(names, paths, strict=True):
            self._judged.note(name, cwd, path)
        return paths

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:
        """Readers too: nothing keeps what they read outside the walls from being told on."""
        paths = super().paths(arguments, cwd)
        return self.walls.stand and bool(paths) and all(self.walls.may_write(path).is_allowed for path in paths)

    def place(self, name: str, bench: Bench) -> str:
        """The absolute, symlink-free path behind what the model wrote. Raises Refused where another one was judged."""
        try:
            path = resolve(name, bench.cwd)
        except ValueError as error:
            raise Refused(f"not a usable path: {name!r} ({error})") from error
        self._judged.settle(name, bench.cwd, path)
        return path

    def place_to_read(self, name: str, bench: Bench) -> str:
        path = self.place(name, bench)
        _heed(self.walls.may_read(path))
        return path

    def place_to_search(self, name: str, bench: Bench) -> str:
        path = self.place(name, bench)
        _heed(self.walls.may_list(path))
        return path

    def place_to_write(self, name: str, bench: Bench) -> str:
        """Outside the walls only where a person let the call out; what is closed stays closed even then."""
        path = self.place(name, bench)
        _heed(self.walls.may_read(path))
        answer = self.walls.may_write(path)
        if not answer.is_allowed and not bench.is_let_out:
            raise Blocked(answer.reason, f"writing {path}")
        return path


def _heed(answer: Answer) -> None:
    if not answer.is_allowed:
        raise Refused(answer.reason)
