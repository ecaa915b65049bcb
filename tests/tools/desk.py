"""Where does a tool work in a test? On a desk: a workspace on disk, a real spawner, and a drawer for pre-images."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Outcome, PreImage
from daedal.sandbox import ProcessSpawner
from daedal.tools import ToolSettings, Worlds, builtin_tools

T = TypeVar("T")


@contextmanager
def not_root() -> Iterator[None]:
    """To root nothing is forbidden, so what is forbidden is tried as nobody."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


class Desk:
    """A `Bench` that follows `cd`, with a toolbox on it."""

    thread_id = "thread"
    tool_use_id = "call"

    is_let_out = False
    is_by_hand = False
    phase = "idle"

    def watch(self) -> None:
        """Nobody looks on."""

    def __init__(
        self,
        folder: Path,
        settings: ToolSettings | None = None,
        confinement: Confinement | None = None,
        worlds: Worlds | None = None,
        *,
        keep_tasks: bool = False,
    ) -> None:
        self.root = folder / "ws"
        self.root.mkdir(exist_ok=True)
        self.scratch = folder / "scratch"
        self.workspace = str(self.root)
        self.cwd = self.workspace
        self.judged: tuple[str, dict[str, Any]] | None = None
        """The call that was judged last; none is made that was not, so any other is judged when it is made."""
        self.kept: list[PreImage] = []
        self.on_keep: Callable[[], object] = lambda: None
        self.spawner = ProcessSpawner([])
        walls = confinement or Confinement(workspace=self.workspace, writable=[self.workspace])
        self.tools = builtin_tools(
            settings or ToolSettings(),
            self.spawner,
            confinement=lambda: walls,
            scratch_dir=self._scratch_dir,
            tasks_dir=lambda: str(folder / "tasks"),
            keep_tasks=keep_tasks,
            worlds=worlds or Worlds(),
        )

    async def keep(self, image: PreImage) -> None:
        self.kept.append(image)
        self.on_keep()

    async def call(self, tool: str, **arguments: Any) -> Outcome:
        found = self.tools.get(tool)
        assert found is not None
        if self.judged == (tool, arguments):
            self.judged = None
        else:
            found.paths(arguments, self.cwd)
        outcome = await found.run(arguments, self)
        outcome.content.encode()
        if outcome.cwd is not None:
            self.cwd = outcome.cwd
        return outcome

    def do(self, tool: str, **arguments: Any) -> Outcome:
        """One call in a loop of its own."""
        return self.run(self.call(tool, **arguments))

    def run(self, scenario: Coroutine[Any, Any, T]) -> T:
        async def whole() -> T:
            try:
                return await scenario
            finally:
                await self.tools.close()
                await self.spawner.close()

        return asyncio.run(whole())

    def paths(self, tool: str, **arguments: Any) -> list[str]:
        found = self.tools.get(tool)
        assert found is not None
        self.judged = (tool, arguments)
        return found.paths(arguments, self.cwd)

    def put(self, name: str, content: str | bytes, *, mtime: int | None = None) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if mtime is not None:
            os.utime(path, (mtime, mtime))
        return path

    def left_behind(self) -> list[str]:
        """Temporary files in the workspace."""
        return [str(path) for path in self.root.rglob(".daedal-*")]

    def _scratch_dir(self) -> str:
        self.scratch.mkdir(exist_ok=True)
        return str(self.scratch)
