"""How does a person make a thread short again? By a turn of its own, in which nothing is done but to fold it."""

from daedal.engine.asking import ReplyFailed
from daedal.engine.folding import FoldFailed, Folding, Trigger
from daedal.engine.thread import LoadedThread
from daedal.engine.turn import RunningTurn
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.events import Warned
from daedal.protocol.records import TurnStatus


class CompactingTurn(RunningTurn):
    def __init__(self, thread: LoadedThread, turn_id: str, world: World, *, principal: str, focus: str) -> None:
        super().__init__(thread, turn_id, world, principal=principal)
        self._focus = focus

    async def _work(self) -> None:
        self._is_closing = True  # It is not a conversation: what is said meanwhile waits for the next turn.
        self._check_limits()
        thread = self._thread
        folding = Folding(thread, self._world, self.id, self._commit, self._check_limits)
        closing = self._closing(TurnStatus.COMPLETED)
        try:
            is_folded = await folding.fold(Trigger.MANUAL, focus=self._focus, closing=closing)
        except FoldFailed as failed:
            raise ReplyFailed(str(failed), failed.kind) from failed
        if is_folded:
            thread.fold_rest = thread.fold_failures = 0
            await self._tell_usage(thread, self.id, thread.last)
            return
        await self._commit(closing)
        await self._emit(Warned(message=say("engine.fold_nothing"), thread_id=thread.id))
