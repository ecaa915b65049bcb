"""What happens in a thread beside the turns of its model? It is folded, the person runs a command, tools are listed."""

from typing import TYPE_CHECKING

from daedal.engine.driving import Driver
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.ids import new_id
from daedal.protocol.records import (
    TurnOpened,
)
from daedal.protocol.threads import ToolListParams, ToolListResponse

if TYPE_CHECKING:
    from daedal.protocol.by_hand import ShellCommandParams, ShellCommandResponse
    from daedal.protocol.folding import ThreadCompactParams


class Interludes(Driver):
    async def compact_thread(self, params: "ThreadCompactParams") -> None:
        """Begins a turn in which the thread is folded."""
        from daedal.engine.compacting import CompactingTurn

        async with self._reserved(params.thread_id) as thread:
            self._require_model(thread)
            if thread.unsaved:
                raise UsageError(say("engine.nothing_to_compact", id=thread.id))
            focus = self._world.redact(params.focus).strip()
            turn = CompactingTurn(thread, new_id(), self._world, principal=self._world.principal, focus=focus)
            settling = await self._settle(thread, close=True)
            opened = TurnOpened(turn_id=turn.id, principal=self._world.principal)
            await self._open(thread, [*settling.records, opened], settling.messages)
            self._go(thread, turn, None)

    async def run_shell_command(self, params: "ShellCommandParams") -> "ShellCommandResponse":
        """Begins a turn in which a command of the person runs."""
        from daedal.engine.shell_turn import ShellTurn
        from daedal.protocol.by_hand import ShellCommandResponse

        async with self._reserved(params.thread_id) as thread:
            turn = ShellTurn(thread, self._world, params, principal=self._world.principal)
            settling = await self._settle(thread, close=True)
            entered = self._entered(thread)
            await self._open(thread, [*settling.records, *entered, *turn.opening()], settling.messages)
            self._go(thread, turn, None)
            return ShellCommandResponse(turn_id=turn.id)

    async def list_tools(self, params: ToolListParams) -> ToolListResponse:
        thread = self._threads.get(params.thread_id)
        if thread is None:
            raise UsageError(say("engine.thread_not_loaded", id=params.thread_id))
        from daedal.engine.by_hand import listed

        return ToolListResponse(data=[listed(spec) for spec in thread.toolbox.specs()])
