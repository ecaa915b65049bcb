"""How is a long thread made short again? The model sums it up, and from then on the summary stands for what was said.

Nothing is lost: the record keeps every entry, and one more that says what they were folded into.
"""

import time

from daedal.engine import recording
from daedal.engine.history import folded, messages
from daedal.engine.reply import Reply
from daedal.engine.thread import offered
from daedal.engine.turn import ReplyFailed, RunningTurn
from daedal.protocol.catalogue import say
from daedal.protocol.content import Message, Role, Text
from daedal.protocol.events import ItemCompleted, ItemStarted
from daedal.protocol.hooks import HookEvent
from daedal.protocol.ids import new_id
from daedal.protocol.items import ContextCompaction
from daedal.protocol.model import Brief, Finished, Retrying, StopReason, TextDelta, Usage
from daedal.protocol.records import Entry, EntryType, TurnStatus
from daedal.protocol.turns import ErrorKind

TASK = """Sum up this conversation for yourself: everything before this message will be gone, and you go on from your \
summary alone. Call no tool. Write down, in this order and only what there is of it: what the user wants, in their own \
words where they matter; rules and instructions that still hold; what was done, with the paths of files and the names \
in them; what was found out and decided, and why; what failed; what remains to be done, the next step first."""


class CompactingTurn(RunningTurn):
    async def _work(self) -> None:
        self._is_closing = True  # It is not a conversation: what is said meanwhile waits for the next turn.
        item = ContextCompaction(id=new_id())
        at = {"thread_id": self._thread.id, "turn_id": self.id}
        await self._emit(ItemStarted(**at, item=item, started_at_ms=int(time.time() * 1000)))
        self._check_limits()
        await self._may_it()
        try:
            summary = await self._summary()
        except BaseException:
            await self._start_over(folded_into=None)
            raise
        entry = Entry(
            entry_type=EntryType.COLLAPSE_COMMIT, payload={"uuid": item.id, "summary": summary}, turn_id=self.id
        )
        await self._commit([entry, *self._closing(TurnStatus.COMPLETED)])
        await self._start_over(folded_into=summary)
        await self._emit(ItemCompleted(**at, item=item, completed_at_ms=int(time.time() * 1000)))
        fields = {"trigger": "manual", "compact_summary": summary}
        await self._thread.hooks.fire(HookEvent.POST_COMPACT, turn_id=self.id, **fields)

    async def _may_it(self) -> None:
        fields = {"trigger": "manual", "custom_instructions": ""}
        answer = await self._thread.hooks.fire(HookEvent.PRE_COMPACT, turn_id=self.id, **fields)
        stop = self._thread.hooks.take_stop()
        if answer.is_blocked or stop is not None:
            why = stop or answer.message or say("engine.no_reason")
            raise ReplyFailed(say("engine.stopped_by_hook", why=why), ErrorKind.HOOK)

    async def _summary(self) -> str:
        thread, card = self._thread, self._thread.provider.card
        thread.append(Message(Role.USER, [Text(TASK)]))
        self.steps += 1
        pieces: list[str] = []
        usage, attempts, began = Usage(), 1, time.monotonic()
        async for chunk in thread.dialogue.stream(output_tokens_max=card.output_tokens_max):
            match chunk:
                case TextDelta(text):
                    pieces.append(text)
                case Retrying():
                    attempts += 1
                    pieces.clear()
                case Finished():
                    usage = chunk.usage
                case _:
                    pass
        text = self._world.redact("".join(pieces)).strip()
        reply = Reply(
            text=text,
            calls=[],
            malformed={},
            kept=[],
            stop=StopReason.END_TURN,
            usage=usage,
            attempts=attempts,
            duration_ms=int((time.monotonic() - began) * 1000),
        )
        self._pending.append(recording.model_called(self.id, card, reply, thread.spent(usage, card)))
        await self._tell_usage(thread, self.id, usage)
        if not text:
            raise ReplyFailed(say("engine.empty_reply"), ErrorKind.EMPTY_REPLY)
        return text

    async def _start_over(self, *, folded_into: str | None) -> None:
        """A fresh dialogue: with the summary, or where there is none, with all that is on the record."""
        thread = self._thread
        tools = offered(thread.toolbox, thread.loaded)
        thread.dialogue = thread.provider.open(Brief(system=thread.system, tools=tools, place=thread.terms.place))
        if folded_into is not None:
            thread.append(folded(folded_into))
            return
        for message in messages(await self._world.transcript.entries(thread.id)):
            thread.append(message)
