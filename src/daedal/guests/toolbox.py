"""What can a guest do, as our engine sees it? Its own tools under our names; each waits until it may run."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw

from daedal.guests.patches import changes_of
from daedal.guests.seat import Seat
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, LeftTask, Outcome, PreImage, Tool
from daedal.sandbox import Walls, resolve

READERS = frozenset(("Read", "Glob", "Grep", "LS", "TodoWrite", "ToolSearch", "TaskOutput"))
"""Change nothing."""
EDITORS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
PATH_KEYS = ("file_path", "notebook_path", "path")


class SeatSpec(ToolSpec, frozen=True, kw_only=True):
    """Says in whose seat a dialogue is opened; the model is a guest's and never sees it."""

    seat: Any


class GuestToolbox:
    """The `Toolbox` seam."""

    def __init__(self, seat: Seat, *, on_close: Callable[[], object]) -> None:
        self._seat = seat
        self._on_close = on_close

    def specs(self) -> list[ToolSpec]:
        return [
            SeatSpec(name=self._seat.host.name, description="", input_schema=Raw(), read_only=True, seat=self._seat)
        ]

    def get(self, name: str) -> Tool:
        return tool_of(name, self._seat)

    async def close(self) -> list[LeftTask]:
        self._on_close()
        await self._seat.close()
        return await self._seat.tools.close()


def tool_of(name: str, seat: Seat) -> Tool:
    """One of ours where it is lent; anything else is the guest's own."""
    return seat.lent(name) or GuestTool(name, seat)


class GuestTool:
    """The `Tool` seam for anything that a guest wants to do."""

    def __init__(self, name: str, seat: Seat) -> None:
        # Calls of one reply run together: a guest may not begin with one before all are answered.
        self.spec = ToolSpec(
            name=name, description="", input_schema=Raw(), read_only=name in READERS, is_concurrent=True
        )
        self._seat = seat
        self._walls = Walls(seat.walls)

    def paths(self, arguments: Mapping[str, Any], cwd: str) -> list[str]:
        try:
            return [resolve(name, cwd) for name in named(arguments)]
        except (ValueError, OSError):
            return []

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:
        if not self._walls.stand:
            return False
        if self.spec.name == "Bash":
            return self._seat.host.confines(self._seat.walls) and not arguments.get("dangerouslyDisableSandbox")
        paths = self.paths(arguments, cwd)
        is_known = self.spec.name in EDITORS or self.spec.read_only
        return is_known and bool(paths) and all(self._walls.may_write(path).is_allowed for path in paths)

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        paths = self.paths(arguments, bench.cwd)
        for path in paths:
            if not (answer := self._walls.may_read(path)).is_allowed:
                return Outcome(content=answer.reason, is_error=True)
        if self.spec.name in EDITORS:
            for path in paths:
                answer = self._walls.may_write(path)
                if not answer.is_allowed and not bench.is_let_out:
                    return Outcome(content=answer.reason, is_error=True, blocked=f"writing {path}")
            for path in paths:
                if (image := _pre_image(path)) is not None:
                    await bench.keep(image)
        return await self._seat.run(arguments, bench)


def named(arguments: Mapping[str, Any]) -> list[str]:
    """The paths that a call names; a patch names several."""
    found = [value for key in PATH_KEYS if isinstance(value := arguments.get(key), str)]
    for change in changes_of(arguments):
        found += [value for key in ("path", "move_path") if isinstance(value := change.get(key), str)]
    return list(dict.fromkeys(found))


def _pre_image(path: str) -> PreImage | None:
    """The file as it is now. None where it cannot be read: what cannot be kept must not be taken for missing."""
    try:
        with open(path, "rb") as file:
            return PreImage(path=path, content=file.read(), mode=os.fstat(file.fileno()).st_mode & 0o7777)
    except FileNotFoundError:
        return PreImage(path=path, content=None)
    except OSError:
        return None
