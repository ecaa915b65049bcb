"""How is a tool made when it is first called? Its code is loaded only then: most sessions use a few tools."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from daedal.protocol.confinement import Confinement, Network
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import LeftTask
from daedal.sandbox import ConfinedSpawner, ProcessSpawner, Roll, Walls
from daedal.tools.read_log import ReadLog
from daedal.tools.settings import ToolSettings
from daedal.tools.tool import BuiltinTool
from daedal.tools.web import Web
from daedal.tools.worlds import Worlds

if TYPE_CHECKING:
    from daedal.tools.backgrounds import Backgrounds
    from daedal.tools.pdf import Quarters
    from daedal.tools.ripgrep import Ground


class ToolMaker:
    """Makes the tools of one thread, which share its walls and what it has read."""

    def __init__(
        self,
        settings: ToolSettings,
        spawner: ProcessSpawner,
        confinement: Confinement,
        scratch_dir: Callable[[], str],
        *,
        hidden: Sequence[str],
        web: Web,
        worlds: Worlds,
        specs: Sequence[ToolSpec],
        tasks_dir: Callable[[], str],
        keep_tasks: bool,
    ) -> None:
        self._settings = settings
        self._spawner = spawner
        self._confinement = confinement
        self._walls = Walls(confinement)
        self._scratch_dir = scratch_dir
        self._hidden = hidden
        self._web = web
        self._worlds = worlds
        self._specs = specs
        self._tasks_dir = tasks_dir
        self._is_keeping = keep_tasks
        self._background: Backgrounds | None = None
        self._log = ReadLog()
        self._commands: ConfinedSpawner | None = None
        self._cell: ConfinedSpawner | None = None

    def make(self, spec: ToolSpec) -> BuiltinTool[Any]:
        match spec.name:
            case "Read":
                from daedal.tools.read import Read

                return Read(spec, self._walls, self._log, self._quarters)
            case "Write":
                from daedal.tools.write import Write

                return Write(spec, self._walls, self._log)
            case "Edit":
                from daedal.tools.edit import Edit

                return Edit(spec, self._walls, self._log)
            case "NotebookEdit":
                from daedal.tools.notebook_edit import NotebookEdit

                return NotebookEdit(spec, self._walls, self._log)
            case "Move":
                from daedal.tools.move import Move

                return Move(spec, self._walls, self._log)
            case "Bash":
                from daedal.tools.bash import Bash

                return Bash(spec, self._settings, self._spawner, self._walled(), self._backgrounds)
            case "Glob":
                from daedal.tools.glob import Glob
                from daedal.tools.ripgrep import Searcher

                return Glob(spec, self._walls, Searcher(self._ground, self._walls, self._hidden))
            case "Grep":
                from daedal.tools.grep import Grep
                from daedal.tools.ripgrep import Searcher

                return Grep(spec, self._walls, Searcher(self._ground, self._walls, self._hidden))
            case "WebFetch":
                from daedal.tools.web_fetch import WebFetch

                return WebFetch(spec, self._settings.web, self._web.way_out())
            case "WebSearch":
                from daedal.tools.web_search import WebSearch

                web = self._web
                return WebSearch(spec, self._settings.web, web.way_out(), web.secret, web.own_search())
            case "Brief":
                from daedal.tools.brief import Brief

                return Brief(spec, self._walls)
            case _:
                from daedal.tools.making_others import make_other

                return make_other(spec, self._worlds, self._specs, lambda: self._backgrounds().tasks)

    async def close(self) -> list[LeftTask]:
        """Ends what runs in the background, and the walls that commands ran in."""
        left = [] if self._background is None else await self._background.tasks.close()
        if self._commands is not None:
            await self._commands.close()
        if self._cell is not None:
            await self._cell.close()
        return left

    def _backgrounds(self) -> "Backgrounds":
        if self._background is None:
            from daedal.tools.backgrounds import Backgrounds

            self._background = Backgrounds(
                self._spawner, folder=self._tasks_dir, scratch_dir=self._scratch_dir, keep=self._is_keeping
            )
        return self._background

    def _quarters(self) -> "Quarters":
        """Where a program reads what strangers wrote: it may write nothing and reach nobody, if anything holds it."""
        if not self._confinement.enabled:
            return self._spawner
        if self._cell is None:
            self._cell = self._spawner.within(replace(self._confinement, writable=[], network=Network.OFF, domains=[]))
        return self._cell if self._cell.mechanism is not None else self._spawner

    def _ground(self) -> "Ground":
        """Where a search runs: within the walls as soon as there are commands, of whichever thread.

        ripgrep opens what it finds by name, so a command that is quick enough could put a link there. Before the first
        command nobody is there to do so, and a search need not wait for walls to be built.
        """
        if self._confinement.enabled and self._is_somebody_there() and self._walled().stands():
            return self._walled()
        from daedal.tools.ripgrep import OpenGround

        return OpenGround(self._spawner)

    def _walled(self) -> ConfinedSpawner:
        if self._commands is None:
            self._commands = self._spawner.within(self._confinement)
        return self._commands

    def _is_somebody_there(self) -> bool:
        """Whether commands were started in this house, or ones that earlier sessions left still run."""
        return self._spawner.has_run or Roll(self._tasks_dir()).has_running()
