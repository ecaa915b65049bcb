"""Which tools does a thread have?"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import LeftTask, Tool
from daedal.sandbox import ProcessSpawner
from daedal.tools.offering import offered
from daedal.tools.settings import ToolSettings
from daedal.tools.web import DirectWeb, Web
from daedal.tools.worlds import NOTHING_ELSE, Worlds

if TYPE_CHECKING:
    from daedal.protocol.confinement import Confinement


class ClosableTool(Tool, Protocol):
    async def close(self) -> None: ...


class Maker(Protocol):
    def make(self, spec: ToolSpec) -> ClosableTool: ...

    async def close(self) -> list[LeftTask]: ...


class BuiltinToolbox:
    """The built-in tools of one thread, with what it has read and what it runs in the background."""

    def __init__(self, specs: list[ToolSpec], load: Callable[[], Maker]) -> None:
        """`load` brings what makes the tools, and is called with the first tool call."""
        self._specs = {spec.name: spec for spec in specs}
        self._load = load
        self._maker: Maker | None = None
        self._tools: dict[str, ClosableTool] = {}

    def specs(self) -> list[ToolSpec]:
        return list(self._specs.values())

    def get(self, name: str) -> Tool | None:
        spec = self._specs.get(name)
        if spec is None or name in self._tools:
            return self._tools.get(name)
        if self._maker is None:
            self._maker = self._load()
        return self._tools.setdefault(name, self._maker.make(spec))

    async def close(self) -> list[LeftTask]:
        for tool in self._tools.values():
            await tool.close()
        return [] if self._maker is None else await self._maker.close()


def builtin_tools(
    settings: ToolSettings,
    spawner: ProcessSpawner,
    *,
    confinement: Callable[[], "Confinement"],
    scratch_dir: Callable[[], str],
    hidden: Sequence[str] = (),
    web: Callable[[], Web] = DirectWeb,
    worlds: Worlds = NOTHING_ELSE,
    tasks_dir: Callable[[], str] | None = None,
    keep_tasks: bool = False,
) -> BuiltinToolbox:
    """A new thread's tools, within the walls of that thread.

    `scratch_dir` names a folder for the output of background commands; `hidden` are files that searches pass over;
    `web` is asked how the web is reached, with the first tool call; `worlds` are agents, skills and MCP servers.
    `tasks_dir` names the folder in which background commands are listed, by default one in Daedal's home; with
    `keep_tasks` they go on when the thread is let go.
    Raises ConfigurationError where settings name a tool that there is not, or a shell.
    """
    specs = offered(settings, worlds)

    def load() -> Maker:
        from daedal.config import tasks_path
        from daedal.tools.making import ToolMaker

        return ToolMaker(
            settings,
            spawner,
            confinement(),
            scratch_dir,
            hidden=hidden,
            web=web(),
            worlds=worlds,
            specs=specs,
            tasks_dir=tasks_dir or tasks_path,
            keep_tasks=keep_tasks,
        )

    return BuiltinToolbox(specs, load)
