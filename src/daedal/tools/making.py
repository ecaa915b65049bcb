"""How is a tool made when it is first called? Its code is loaded only then: most sessions use a few tools."""

from collections.abc import Callable, Sequence
from typing import Any

from daedal.protocol.model import ToolSpec
from daedal.sandbox import ProcessSpawner
from daedal.tools.memory import ReadLog
from daedal.tools.settings import ToolSettings
from daedal.tools.tool import BuiltinTool


class ToolMaker:
    """Makes the tools of one thread, which share what the thread has read."""

    def __init__(
        self, settings: ToolSettings, spawner: ProcessSpawner, scratch_dir: Callable[[], str], hidden: Sequence[str]
    ) -> None:
        self._settings = settings
        self._spawner = spawner
        self._scratch_dir = scratch_dir
        self._hidden = hidden
        self._log = ReadLog()

    def make(self, spec: ToolSpec) -> BuiltinTool[Any]:
        match spec.name:
            case "Read":
                from daedal.tools.read import Read

                return Read(spec, self._log)
            case "Write":
                from daedal.tools.write import Write

                return Write(spec, self._log)
            case "Edit":
                from daedal.tools.edit import Edit

                return Edit(spec, self._log)
            case "Bash":
                from daedal.tools.bash import Bash

                return Bash(spec, self._settings, self._spawner, self._scratch_dir)
            case "Glob":
                from daedal.tools.glob import Glob
                from daedal.tools.ripgrep import Searcher

                return Glob(spec, Searcher(self._spawner, self._hidden))
            case "Grep":
                from daedal.tools.grep import Grep
                from daedal.tools.ripgrep import Searcher

                return Grep(spec, Searcher(self._spawner, self._hidden))
            case name:
                raise AssertionError(f"no tool is called {name}")
