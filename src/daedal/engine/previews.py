"""What would a call change? Looked up for those who may be asked about it, and never for nobody."""

from daedal.engine.deeds import encodable
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.events import ItemStarted
from daedal.protocol.items import Change
from daedal.protocol.judging import Gate
from daedal.protocol.seams import Bench, Previewed, Tool
from daedal.protocol.verdict import ToolRequest


class Preview:
    """Of one call. The same words are looked at once."""

    def __init__(self, tool: Tool, thread: LoadedThread, world: World, bench: Bench) -> None:
        self._tool = tool if isinstance(tool, Previewed) else None
        self._thread = thread
        self._world = world
        self._bench = bench
        self._known: tuple[ToolRequest, list[Change]] | None = None

    async def foreseen(self, request: ToolRequest, gate: Gate) -> list[Change]:
        """For everybody who sees the call begin, where a person may be asked about it."""
        if self._tool is None or request.is_own or not gate.may_ask(request):
            return []
        return await self.of(request)

    async def of(self, request: ToolRequest) -> list[Change]:
        if self._tool is None or not self._world.faces.wants(self._thread.id, ItemStarted):
            return []
        if self._known is None or self._known[0] != request:
            redact = self._world.redact
            try:
                found = await self._tool.preview(request.input, self._bench)
            except Exception:  # a bug in a tool: whoever runs it hears of that, and the question can do without
                found = []
            changes = [
                Change(path=encodable(each.path), kind=each.kind, diff=redact(encodable(each.diff))) for each in found
            ]
            self._known = (request, changes)
        return self._known[1]
