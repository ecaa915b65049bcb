"""What do the tools that name files have in common? They keep to the walls, and to the paths that were judged."""

from collections.abc import Mapping
from typing import Any

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench
from daedal.sandbox import Answer, Walls, permit, resolve
from daedal.tools.errors import Blocked, Refused
from daedal.tools.judged import JudgedPaths
from daedal.tools.looking import Looking
from daedal.tools.tool import BuiltinTool, Input, decode
from daedal.tools.twins import is_twin


class FileTool(BuiltinTool[Input]):
    """Resolves the names in a call once and asks the walls; subclasses then open exactly that path."""

    def __init__(self, spec: ToolSpec, input_type: type[Input], walls: Walls) -> None:
        super().__init__(spec, input_type)
        self.walls = walls
        self._judged = JudgedPaths()

    def paths(self, arguments: Mapping[str, Any], cwd: str) -> list[str]:
        names = self.names(arguments)
        led = [_led(name, cwd) for name in names]
        for name, path in zip(names, led, strict=True):
            self._judged.note(name, cwd, path)
        # Where one of them is no path that anything could open, `run` says so to the model.
        return [] if None in led else [path for path in led if path is not None]

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:
        """Readers too: nothing keeps what they read outside the walls from being told on.

        About the very answers that `paths` gave: a link may be another one a moment later.
        """
        names = self.names(arguments)
        if not all(self._judged.knows(name, cwd) for name in names):
            self.paths(arguments, cwd)
        led = [self._judged.last(name, cwd) for name in names]
        paths = [path for path in led if path is not None]
        if not paths or None in led:
            return self.names_nothing(arguments)
        return self.walls.stand and all(self.walls.may_write(path).is_allowed for path in paths)

    def names_nothing(self, arguments: Mapping[str, Any]) -> bool:
        """Whether `run` can but say that this is no path, however links change: nothing needs to hold that."""
        if any("\0" in name for name in self.names(arguments)):
            return True
        try:
            decode(self.spec.name, arguments, self.input_type)
        except Refused:
            return True
        return False

    def place(self, name: str, bench: Bench) -> str:
        """The absolute, symlink-free path behind what the model wrote. Raises Refused where another one was judged."""
        try:
            path = resolve(name, bench.cwd)
        except (ValueError, OSError) as error:
            raise Refused(f"not a usable path: {name!r} ({error})") from error
        self.settle(name, path, bench)
        return path

    def settle(self, name: str, path: str, bench: Bench) -> None:
        """The call goes there. Raises Refused where another path was judged."""
        (self._judged.check if isinstance(bench, Looking) else self._judged.settle)(name, bench.cwd, path)

    def place_to_read(self, name: str, bench: Bench) -> str:
        path = self.place(name, bench)
        self._heed_closed(path)
        return path

    def place_to_search(self, name: str, bench: Bench) -> str:
        path = self.place(name, bench)
        _heed(self.walls.may_list(path))
        self._heed_closed(path)
        return path

    def place_to_write(self, name: str, bench: Bench) -> str:
        """Outside the walls only where a person let the call out; what is closed stays closed even then."""
        path = self.place(name, bench)
        self._heed_closed(path)
        answer = self.walls.may_write(path)
        if not answer.is_allowed and not bench.is_let_out:
            raise Blocked(answer.reason, f"writing {path}")
        if not isinstance(bench, Looking):
            permit(path)
        return path

    def _heed_closed(self, path: str) -> None:
        _heed(self.walls.may_read(path))
        if is_twin(path, self.walls.closed()):
            raise Refused(
                f"{path} is another name of a file that is closed to this session. Work without it, or ask the user for"
                " what you need from it."
            )


def _led(name: str, cwd: str) -> str | None:
    try:
        return resolve(name, cwd)
    except (ValueError, OSError):
        return None


def _heed(answer: Answer) -> None:
    if not answer.is_allowed:
        raise Refused(answer.reason)
