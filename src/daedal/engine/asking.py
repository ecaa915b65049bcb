"""How is the model asked? Within the budget, heard while it speaks, and once more with less where it was too much."""

from abc import ABC, abstractmethod

from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.reply import Listener, Reply
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError, ProviderError
from daedal.protocol.events import TokenCounts, TokenUsage, TokenUsageUpdated
from daedal.protocol.model import Usage
from daedal.protocol.records import Record
from daedal.protocol.turns import ErrorKind


class ReplyFailed(DaedalError):
    """The model answered, but not with something a turn can end on."""

    def __init__(self, message: str, kind: ErrorKind) -> None:
        super().__init__(message)
        self.kind = kind


class AskingTurn(ABC):
    """The part of a turn that talks to the model. Whoever completes it says what limits there are, and commits."""

    def __init__(self, thread: LoadedThread, turn_id: str, world: World) -> None:
        self.id = turn_id
        self._thread = thread
        self._world = world
        self.steps = 0
        self._listener: Listener | None = None
        self._pending: list[Record] = []
        """What goes on the record with the next commit."""

    @abstractmethod
    def _check_limits(self) -> None: ...

    @abstractmethod
    async def _commit(self, records: list[Record]) -> None: ...

    async def _ask(self) -> Reply:
        """Where the model says that it was given too much, the thread is folded, and it is asked once more."""
        try:
            return await self._ask_once()
        except ProviderError as trouble:
            listener = self._listener
            is_too_much = trouble.kind is ErrorKind.CONTEXT_WINDOW and self._thread.provider.card.context_window
            if listener is None or not is_too_much:
                raise
            self._pending.append(recording.model_gave_up(self.id, self._thread.provider.card, listener, str(trouble)))
            self._listener = None
            if not await self._fold("overflow"):
                raise _window_full(trouble) from trouble
        try:
            return await self._ask_once()
        except ProviderError as trouble:
            if trouble.kind is not ErrorKind.CONTEXT_WINDOW:
                raise
            raise _window_full(trouble) from trouble

    async def _fold(self, trigger: str) -> bool:
        from daedal.engine.folding import Folding, Trigger

        thread = self._thread
        folding = Folding(thread, self._world, self.id, self._commit, self._check_limits)
        is_folded = await folding.try_fold(Trigger(trigger))
        if is_folded:
            await self._tell_usage(thread, self.id, thread.last)
        return is_folded

    async def _ask_once(self) -> Reply:
        thread, card = self._thread, self._thread.provider.card
        async with thread.purse.call(card, thread.limits.max_budget_usd, lambda: thread.charged_usd or 0.0):
            self._check_limits()  # Others may have spent while this one waited.
            self.steps += 1
            self._listener = Listener(self._world.faces, thread.id, self.id, self._world.redact, thread.call_ids)
            reply = await self._listener.hear(thread.dialogue, output_tokens_max=card.output_tokens_max)
            self._listener = None
            if reply.kept:
                reply = replace(reply, kept=[replace(kept, by=card.key) for kept in reply.kept])
            cost = thread.spent(reply.usage, card)
        self._pending.append(recording.model_called(self.id, card, reply, cost))
        await self._tell_usage(thread, self.id, reply.usage)
        if thread.parent is not None:
            # What a sub-agent used, its parent has used: whoever watches the parent sees it at once.
            await self._tell_usage(thread.parent, "", reply.usage)
        return reply

    async def _tell_usage(self, thread: LoadedThread, turn_id: str, last: Usage) -> None:
        usage = TokenUsage(
            total=TokenCounts.of(thread.usage),
            last=TokenCounts.of(last),
            cost_usd=thread.cost_usd,
            model_context_window=thread.provider.card.context_window or None,
        )
        event = TokenUsageUpdated(thread_id=thread.id, turn_id=turn_id, token_usage=usage)
        await self._world.faces.emit(thread.id, event)


def _window_full(trouble: ProviderError) -> ReplyFailed:
    why = str(trouble).partition(" · ")[0]
    return ReplyFailed(say("engine.window_full", why=why), ErrorKind.CONTEXT_WINDOW)
