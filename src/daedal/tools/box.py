"""Which tools does a thread have?"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Tool
from daedal.sandbox import ProcessSpawner
from daedal.tools.settings import ToolSettings
from daedal.tools.specs import NAMES, bash_spec, spec_of
from daedal.tools.web import DirectWeb, Web

if TYPE_CHECKING:
    from daedal.protocol.confinement import Confinement


class ClosableTool(Tool, Protocol):
    async def close(self) -> None: ...


class Maker(Protocol):
    def make(self, spec: ToolSpec) -> ClosableTool: ...

    async def close(self) -> None: ...


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

    async def close(self) -> None:
        for tool in self._tools.values():
            await tool.close()
        if self._maker is not None:
            await self._maker.close()


def builtin_tools(
    settings: ToolSettings,
    spawner: ProcessSpawner,
    *,
    confinement: Callable[[], "Confinement"],
    scratch_dir: Callable[[], str],
    hidden: Sequence[str] = (),
    web: Callable[[], Web] = DirectWeb,
) -> BuiltinToolbox:
    """A new thread's tools, within the walls of that thread.

    `scratch_dir` names a folder for the output of background commands; `hidden` are files that searches pass over;
    `web` is asked how the web is reached, with the first tool call.
    """
    for name in settings.enabled:
        if name not in NAMES:
            raise ConfigurationError(say("tools.unknown", name=name, known=", ".join(NAMES)))

    def load() -> Maker:
        from daedal.tools.making import ToolMaker

        return ToolMaker(settings, spawner, confinement(), scratch_dir, hidden=hidden, web=web())

    wanted = [name for name in NAMES if not settings.enabled or name in settings.enabled]
    return BuiltinToolbox([bash_spec(settings) if name == "Bash" else spec_of(name) for name in wanted], load)
