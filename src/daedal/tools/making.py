"""How is a tool made when it is first called? Its code is loaded only then: most sessions use a few tools."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from daedal.protocol.confinement import Confinement
from daedal.protocol.model import ToolSpec
from daedal.sandbox import ConfinedSpawner, ProcessSpawner, Walls
from daedal.tools.memory import ReadLog
from daedal.tools.settings import ToolSettings
from daedal.tools.tool import BuiltinTool

if TYPE_CHECKING:
    from daedal.tools.ripgrep import Ground


class ToolMaker:
    """Makes the tools of one thread, which share its walls and what it has read."""

    def __init__(
        self,
        settings: ToolSettings,
        spawner: ProcessSpawner,
        confinement: Confinement,
        scratch_dir: Callable[[], str],
        hidden: Sequence[str],
    ) -> None:
        self._settings = settings
        self._spawner = spawner
        self._confinement = confinement
        self._walls = Walls(confinement)
        self._scratch_dir = scratch_dir
        self._hidden = hidden
        self._log = ReadLog()
        self._commands: ConfinedSpawner | None = None

    def make(self, spec: ToolSpec) -> BuiltinTool[Any]:
        match spec.name:
            case "Read":
                from daedal.tools.read import Read

                return Read(spec, self._walls, self._log)
            case "Write":
                from daedal.tools.write import Write

                return Write(spec, self._walls, self._log)
            case "Edit":
                from daedal.tools.edit import Edit

                return Edit(spec, self._walls, self._log)
            case "Bash":
                from daedal.tools.bash import Bash

                self._commands = self._spawner.within(self._confinement)
                return Bash(spec, self._settings, self._spawner, self._commands, self._scratch_dir)
            case "Glob":
                from daedal.tools.glob import Glob
                from daedal.tools.ripgrep import Searcher

                return Glob(spec, self._walls, Searcher(self._ground, self._walls, self._hidden))
            case "Grep":
                from daedal.tools.grep import Grep
                from daedal.tools.ripgrep import Searcher

                return Grep(spec, self._walls, Searcher(self._ground, self._walls, self._hidden))
            case name:
                raise AssertionError(f"no tool is called {name}")

    async def close(self) -> None:
        """Ends the walls that commands ran in."""
        if self._commands is not None:
            await self._commands.close()

    def _ground(self) -> "Ground":
        """Where a search runs: within the walls as soon as commands do.

        ripgrep opens what it finds by name, so a command that is quick enough could put a link there. Before the first
        command nobody is there to do so, and a search need not wait for walls to be built.
        """
        if self._commands is not None and self._confinement.enabled and self._commands.stands():
            return self._commands
        return self._spawner
