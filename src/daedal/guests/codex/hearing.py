"""What does Codex say between two of our answers? Its words as they come, and what it wants to do, all together.

A reply is over when Codex says so; its calls are told when each has asked or is done. A call may wait for another one
of the same reply before it asks: after a while without a word, those that have asked are told without it. In a thread
that was resumed Codex does not say when a reply is over; then a short silence is all there is to go by.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast

from msgspec.structs import replace

from daedal.guests.codex.deeds import ASKING, Deeds
from daedal.guests.codex.server import gone
from daedal.guests.codex.troubles import trouble
from daedal.guests.codex.usage import counted
from daedal.guests.inbox import GONE, Inbox, Message
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.model import (
    CallRequested,
    Chunk,
    Finished,
    Price,
    ReasoningDelta,
    Retrying,
    StopReason,
    TextDelta,
    Usage,
)
from daedal.protocol.turns import ErrorKind

GATHER_S = 1.0
SILENCE_S = 0.15


class Hearing:
    """One stretch of a turn."""

    def __init__(
        self,
        inbox: Inbox,
        deeds: Deeds,
        *,
        turn_id: str,
        price: Price | None,
        exhausted_until: Callable[[], int | None],
        warn: Callable[[str], Awaitable[None]],
    ) -> None:
        self._price = price
        self._exhausted_until = exhausted_until
        self._inbox = inbox
        self._deeds = deeds
        self._warn = warn
        self._turn_id = turn_id
        self._calls: list[CallRequested] = []
        self._streamed: set[str] = set()
        self._usage = Usage()

    async def chunks(self) -> AsyncIterator[Chunk]:
        """Ends with Finished, or raises ProviderError."""
        while not (self._calls and self._deeds.is_complete):
            message = await self._inbox.next(self._patience_s())
            if message is None:
                break
            if message["method"] == "turn/completed":
                if not self._calls:
                    _check(message["params"]["turn"], self._exhausted_until())
                    yield Finished(StopReason.END_TURN, self._billed())
                    return
                self._inbox.put_back(message)
                break
            for chunk in await self._heard(message):
                yield chunk
        for call in sorted(self._calls, key=self._deeds.order):
            yield call
        yield Finished(StopReason.TOOL_USE, self._billed())

    def _billed(self) -> Usage:
        billed = self._usage.cost_usd(self._price)
        return self._usage if billed is None else replace(self._usage, billed_usd=billed)

    def _patience_s(self) -> float | None:
        if not self._calls:
            return None
        return GATHER_S if self._deeds.is_raw and not self._deeds.is_scripted else SILENCE_S

    async def _heard(self, message: Message) -> list[Chunk]:
        params = cast("Message", message.get("params") or {})
        match message["method"]:
            case "item/agentMessage/delta":
                self._streamed.add(str(params["itemId"]))
                return [TextDelta(params["delta"])]
            case "item/reasoning/summaryTextDelta" | "item/reasoning/textDelta":
                return [ReasoningDelta(params["delta"])]
            case "item/completed":
                return self._completed(params["item"])
            case "turn/plan/updated":
                self._calls.append(self._deeds.planned(params, self._turn_id))
            case "item/commandExecution/terminalInteraction" if params.get("stdin"):
                self._calls.append(self._deeds.typed(params, self._turn_id))
            case "rawResponse/completed":
                self._deeds.reply_over()
                self._usage = self._usage.plus(counted(params.get("usage")))
            case "thread/tokenUsage/updated" if not self._deeds.is_raw:
                self._usage = self._usage.plus(counted(cast("Message", params.get("tokenUsage") or {}).get("last")))
            case "error" if params.get("willRetry"):
                return [_retrying(params)]
            case "warning":
                await self._warn(str(params.get("message", "")))
            case method if method in ASKING:
                self._calls.append(self._deeds.asked(message))
            case method if method == GONE:
                raise gone(str(params.get("why", "")))
            case _:
                pass
        return []

    def _completed(self, item: Message) -> list[Chunk]:
        """Words that came without a stream, and deeds that nobody was asked about."""
        if item.get("type") == "agentMessage":
            is_news = str(item.get("id")) not in self._streamed and bool(item.get("text"))
            return [TextDelta(item["text"])] if is_news else []
        call = self._deeds.done_unasked(item)
        if call is not None:
            self._calls.append(call)
        return []


def _check(turn: Message, exhausted_until: int | None) -> None:
    """Raises ProviderError where it did not end well."""
    if turn.get("status") == "failed":
        raise trouble(turn.get("error"), exhausted_until)
    if turn.get("status") == "interrupted":
        raise ProviderError(say("guests.stopped", engine="Codex"), ErrorKind.INTERNAL)


def _retrying(params: Message) -> Retrying:
    error = cast("Message", params.get("error") or {})
    reason = " · ".join(str(error[key]) for key in ("message", "additionalDetails") if error.get(key))
    return Retrying(attempt=1, attempts_max=1, delay_s=0.0, reason=reason)
