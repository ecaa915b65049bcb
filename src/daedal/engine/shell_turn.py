"""How does a person's own shell command run in a thread? As a turn of its own, through the same gate, without a model.

What rules deny stays denied, and the walls are those of the thread; nobody is asked, since whoever would be asked has
typed it. The model reads the command and what came of it before the next prompt.
"""

from typing import TYPE_CHECKING

from daedal.engine.history import by_the_user
from daedal.engine.thread import LoadedThread
from daedal.engine.turn import RunningTurn
from daedal.engine.world import World
from daedal.protocol.by_hand import ShellCommandParams
from daedal.protocol.catalogue import say
from daedal.protocol.content import ToolUse
from daedal.protocol.errors import UsageError
from daedal.protocol.ids import new_id
from daedal.protocol.items import USER_SHELL
from daedal.protocol.records import Entry, EntryType, Record, TurnOpened, TurnStatus

if TYPE_CHECKING:
    from daedal.engine.acting import Acting

TOOL = "Bash"
TIMEOUT_MS = 600_000
"""Where nobody says for how long: whoever typed it also sees it and can stop it."""


class ShellTurn(RunningTurn):
    def __init__(self, thread: LoadedThread, world: World, params: ShellCommandParams, *, principal: str) -> None:
        """Raises UsageError where there is nothing to run, or nothing to run it with."""
        super().__init__(thread, new_id(), world, principal=principal)
        if not params.command.strip():
            raise UsageError(say("engine.empty_command"))
        if params.timeout_ms is not None and params.timeout_ms < 1:
            raise UsageError(say("engine.bad_timeout", value=params.timeout_ms))
        if all(spec.name != TOOL for spec in thread.toolbox.specs()):
            raise UsageError(say("engine.no_shell", id=thread.id))
        given = {"command": world.redact(params.command), "timeout": params.timeout_ms or TIMEOUT_MS}
        self._call = ToolUse(f"call_{new_id()}", TOOL, given)

    def opening(self) -> list[Record]:
        """The intent, for the record; committed before anything runs."""
        call = self._call
        return [
            TurnOpened(turn_id=self.id, principal=self._principal),
            Entry(
                entry_type=EntryType.TOOL_USE,
                payload={"id": call.id, "name": call.name, "input": call.input},
                turn_id=self.id,
                tool_use_id=call.id,
                extra={"source": USER_SHELL},
            ),
        ]

    async def _work(self) -> None:
        from daedal.engine.acting import Acting

        self._is_closing = True  # It is not a conversation: what is said meanwhile waits for the next turn.
        self._thread.call_ids.add(self._call.id)
        acting = Acting(self._thread, self.id, self._principal, self._world, source=USER_SHELL)
        is_whole = False
        try:
            await acting.carry_out([self._call], {})
            is_whole = True
        finally:
            await self._record(acting, is_whole=is_whole)

    async def _record(self, acting: "Acting", *, is_whole: bool) -> None:
        """Also when interrupted: what is known of the command must not get lost."""
        [done] = acting.done
        closing = self._closing(TurnStatus.COMPLETED) if is_whole else []
        await self._commit([*done.records, *closing])
        self._thread.append(by_the_user(self._call, done.outcome.content))
