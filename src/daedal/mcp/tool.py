"""How does a server's tool become one of the thread's?"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from daedal.mcp.definitions import Definition, spec_of
from daedal.mcp.link import Link
from daedal.mcp.results import INTERNAL, capped, outcome_of
from daedal.mcp.trouble import Broken, Trouble
from daedal.protocol.seams import Bench, Outcome

if TYPE_CHECKING:
    from mcp.shared.dispatcher import ProgressFnT

UNKNOWN = " It may have begun its work or finished it: look before you call it again."
OnProgress = Callable[[str, str, str], Awaitable[None]]
"""Thread, call, and what the server says about how far it is."""


class McpTool:
    """The `Tool` seam. What a server does is out of our sight, so nothing is claimed about it."""

    def __init__(self, link: Link, definition: Definition, name: str, on_progress: OnProgress | None) -> None:
        self._link = link
        self._definition = definition
        self._on_progress = on_progress
        self.spec = spec_of(definition, name, read_only=definition.name in link.config.trusted_read_only)

    def paths(self, arguments: Mapping[str, Any], cwd: str) -> list[str]:  # noqa: ARG002 - no paths of ours
        return []

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:  # noqa: ARG002 - it works outside
        return False

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        try:
            return outcome_of(await self._link.call(self._definition, arguments, self._progress(bench)))
        except Broken as trouble:
            return Outcome(content=capped(f"{INTERNAL}{trouble}.{UNKNOWN}"), is_error=True)
        except Trouble as trouble:
            return Outcome(content=capped(str(trouble)), is_error=True)

    def _progress(self, bench: Bench) -> "ProgressFnT | None":
        tell = self._on_progress
        if tell is None:
            return None
        thread_id, call_id = bench.thread_id, bench.tool_use_id

        async def told(progress: float, total: float | None, message: str | None) -> None:
            far = f"{progress:g}" if total is None else f"{progress:g}/{total:g}"
            await tell(thread_id, call_id, f"{far} {message[:500]}" if message else far)

        return told
