"""How does one thread of Codex become one of ours? What it says is passed on, what it wants to do waits for us.

Codex asks before every command and every patch (`untrusted`). Each question becomes a call of our engine; running
that call answers it with yes and waits for what comes of it, refusing it answers with no and says why.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from daedal.guests.codex import calls
from daedal.guests.codex.borrowing import answer_of
from daedal.guests.codex.deeds import ASKING, WENT_ON, Ask, Deeds
from daedal.guests.codex.hearing import Hearing
from daedal.guests.codex.lodging import resumed, started
from daedal.guests.codex.server import CodexServer
from daedal.guests.guest import Stay
from daedal.guests.inbox import GONE, Inbox, Message, departure
from daedal.protocol.catalogue import say
from daedal.protocol.content import ToolResult
from daedal.protocol.errors import ProviderError
from daedal.protocol.model import Chunk, Finished, Price, StopReason
from daedal.protocol.seams import Bench, Outcome
from daedal.protocol.turns import ErrorKind

HUSH_S = 10.0
TYPING = "writeStdin"
"""The kind of a question about words for a command that runs: no rule could say what they do there."""
TOGETHER_S = 0.25
"""How long calls that run together take to begin."""
ASK_AGAIN = "It did not run, because it was asked for together with a call that was refused. Ask for it again."
LATE_S = 2.0
TOO_LATE = "It did not run, because another call is still running. Ask for it again when that one has ended."
LOST = "Codex ended while it ran. It may have run completely, partly or not at all."
STOPPED = "Its sandbox stopped it."


class CodexGuest:
    """The `Guest` seam."""

    def __init__(self, server: CodexServer, stay: Stay, price_of: Callable[[str], Price | None]) -> None:
        """`price_of` knows what tokens of a model cost."""
        self._server = server
        self._price_of = price_of
        self._price: Price | None = None
        self._stay = stay
        self._thread_id = ""
        self._turn_id = ""
        """Of the turn under way; empty where there is none."""
        self._life = 0
        self.is_new = True
        self._inbox = Inbox()
        self._deeds = Deeds(stay.workspace, stay.lent)
        self._begun: dict[str, Ask] = {}
        """Calls that were let run before our engine came to them."""
        self._untold: list[str] = []
        """Why calls of a script were refused: told when it has ended, since words would cut it off."""
        self._misdeed = ""
        """What it did unasked that the rules refuse: the turn does not go on after it."""
        server.enter()

    @property
    def is_working(self) -> bool:
        return bool(self._turn_id)

    async def open(self) -> None:
        await self._server.start()
        if self._thread_id and self._life == self._server.life:
            return
        known = self._thread_id or await self._stay.recall()
        told = None if known is None else await resumed(self._server, self._stay, known)
        if told is not None:
            self._adopt(told)
            self.is_new = False
        else:
            self._adopt(await started(self._server, self._stay))
            await self._stay.remember(self._thread_id)
        self._life = self._server.life

    def _adopt(self, told: Message) -> None:
        self._thread_id = told["thread"]["id"]
        self._price = self._price_of(str(told.get("model")))
        self._server.listen(self._thread_id, self)

    async def say(self, texts: Sequence[str]) -> None:
        told = [{"type": "text", "text": text} for text in texts]
        if self._turn_id:
            await self._steer(told)
            return
        self._inbox.clear()
        begun = await self._server.call("turn/start", {"threadId": self._thread_id, "input": told})
        self._turn_id = begun["turn"]["id"]
        self.is_new = False

    async def _steer(self, told: list[dict[str, str]]) -> None:
        await self._server.call(
            "turn/steer", {"threadId": self._thread_id, "expectedTurnId": self._turn_id, "input": told}
        )

    async def hear(self) -> AsyncIterator[Chunk]:
        if self._misdeed:
            what, self._misdeed = self._misdeed, ""
            raise ProviderError(say("guests.ran_unasked", engine="Codex", what=what), ErrorKind.INTERNAL)
        hearing = Hearing(
            self._inbox,
            self._deeds,
            turn_id=self._turn_id,
            price=self._price,
            exhausted_until=lambda: self._server.exhausted_until,
            warn=self._stay.warn,
        )
        try:
            async for chunk in hearing.chunks():
                if isinstance(chunk, Finished) and chunk.stop is not StopReason.TOOL_USE:
                    self._over()
                yield chunk
        except ProviderError:
            self._over()
            raise

    def _over(self) -> None:
        self._turn_id = ""
        self._deeds.forget()
        self._begun.clear()
        self._untold.clear()

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        del arguments  # What Codex asked about is what it runs.
        call_id = bench.tool_use_id
        if call_id in self._deeds.unasked:
            return calls.outcome_of(self._deeds.unasked.pop(call_id))
        ask = self._begun.pop(call_id, None)
        try:
            if ask is None:
                ask = self._deeds.asks.get(call_id)
                if ask is None or ask.is_lent:
                    return Outcome(content="Codex does not wait for this call.", is_error=True)
                del self._deeds.asks[call_id]
                await self._accept(ask)
            item = await self._end_of(ask)
        except asyncio.CancelledError:
            await self.hush()
            raise
        except ProviderError as error:
            return Outcome(content=str(error), is_error=True)
        self._deeds.settle(ask)
        if item.get("method") in ASKING:
            self._deeds.asks[call_id] = Ask(item["id"], ask.item_id)
            why = str(item["params"].get("reason") or STOPPED)
            return Outcome(content=why, is_error=True, blocked=why)
        if item.get("type") == WENT_ON:
            return calls.told_outcome(item["text"])
        return calls.outcome_of(item)

    async def _accept(self, ask: Ask) -> None:
        self._deeds.end_of(ask)
        await self._server.answer(ask.request_id, {"decision": "accept"})

    async def _end_of(self, ask: Ask) -> Message:
        end = self._deeds.end_of(ask)
        await asyncio.wait([end], timeout=TOGETHER_S)
        if not end.done():
            await self._answer_others()
        while not end.done():
            await asyncio.wait([end], timeout=LATE_S)
            await self._put_off()
        return await end

    async def _answer_others(self) -> None:
        """Codex may not begin with one call before it knows about all of a reply, and nobody else answers now.

        All of them were judged before this one began, so what is left was allowed. A patch is not run unless our
        engine has kept what it changes: it has to be asked for again.
        """
        for call_id, ask in list(self._deeds.asks.items()):
            if ask.is_lent:
                continue  # Our engine comes to it; nothing else waits for its result.
            if self._deeds.is_command(ask):
                self._begun[call_id] = self._deeds.asks.pop(call_id)
                await self._accept(ask)
            else:
                await self.refuse(call_id, ASK_AGAIN)

    async def _put_off(self) -> None:
        """Questions that came while another call runs: that one may wait for their answer, so they get one."""
        for message in self._inbox.take_out(*ASKING):
            await self.refuse(self._deeds.asked(message).id, TOO_LATE)

    async def refuse(self, call_id: str, reason: str) -> None:
        if call_id in self._deeds.unasked:
            self._misdeed = calls.title(self._deeds.unasked.pop(call_id))
            return
        ask = self._deeds.asks.pop(call_id, None)
        if ask is None:
            return
        if ask.is_lent:
            await self._server.answer(ask.request_id, answer_of(ToolResult(call_id, reason, is_error=True)))
            return
        if self._deeds.is_scripted:
            self._untold.append(reason)
        else:
            await self._explain([reason])
        await self._server.answer(ask.request_id, {"decision": "decline"})

    async def _explain(self, reasons: list[str]) -> None:
        with suppress(ProviderError):  # Where it cannot be told why, it is still told no.
            await self._steer([{"type": "text", "text": reason} for reason in reasons])

    def _tell_untold(self) -> None:
        untold, self._untold = self._untold, []
        if untold:
            self._server.later(self._explain(untold))

    async def settle(self, result: ToolResult) -> None:
        ask = self._deeds.asks.get(result.tool_use_id)
        if ask is None or not ask.is_lent:
            await self.refuse(result.tool_use_id, result.content)
            return
        del self._deeds.asks[result.tool_use_id]
        await self._server.answer(ask.request_id, answer_of(result))

    async def hush(self) -> None:
        turn_id = self._turn_id
        self._over()
        if not turn_id:
            return
        with suppress(ProviderError, TimeoutError):
            async with asyncio.timeout(HUSH_S):
                await self._server.call("turn/interrupt", {"threadId": self._thread_id, "turnId": turn_id})
                while (message := await self._inbox.next()) is not None:
                    if message["method"] in ("turn/completed", GONE):
                        return

    async def close(self) -> None:
        await self.hush()
        self._server.forget(self._thread_id)
        await self._server.leave()

    # What follows is called by the server, whenever something comes.

    def take(self, message: Message) -> None:
        method, params = message["method"], cast("Message", message.get("params") or {})
        if "id" in message and (method not in ASKING or params.get("kind") == TYPING):
            self._decline(message)
            return
        match method:
            case "rawResponseItem/completed":
                self._deeds.hear_raw(params["item"])
                if params["item"].get("type") == "custom_tool_call_output":
                    self._tell_untold()
            case "item/started":
                self._deeds.begun(params["item"])
            case "item/completed" if self._deeds.ended(params["item"]):
                return
            case method if method in ASKING and self._deeds.asks_again(message):
                return
            case "thread/tokenUsage/updated" if not self._deeds.is_raw:
                self._deeds.went_on()
                self._tell_untold()
            case "turn/completed":
                self._deeds.went_on()  # A script may end without the calls that it made.
            case _:
                pass
        self._inbox.put(message)

    def gone(self, why: str) -> None:
        self._deeds.let_go(LOST)
        self._inbox.put(departure(why))

    def _decline(self, message: Message) -> None:
        """Questions that we have no answer to: nobody must wait for one."""
        if message["method"] in ASKING:
            self._server.later(self._server.answer(message["id"], {"decision": "decline"}))
        elif message["method"] == "mcpServer/elicitation/request":
            self._server.later(self._server.answer(message["id"], {"action": "decline"}))
        else:
            self._server.later(self._server.refuse(message["id"]))
