"""What does Claude say between two of our answers? Its words as they come, and what it wants to do, all together.

A call asks when Claude comes to it: readers all at once, others one after the other. So those of a reply are told that
have asked when the reply is over and nothing more is heard for a moment.
"""

from collections.abc import AsyncIterator, Callable
from typing import Any, cast

from claude_agent_sdk import AssistantMessage, RateLimitEvent, ResultMessage, StreamEvent, SystemMessage, TextBlock
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from daedal.guests.claude.troubles import gone, trouble
from daedal.guests.inbox import GONE, Inbox
from daedal.protocol.model import CallRequested, Chunk, Finished, ReasoningDelta, Retrying, StopReason, TextDelta, Usage

SILENCE_S = 0.1
SYNTHETIC = "<synthetic>"
"""The model of words that Claude's program says itself; they come again with the result."""

Json = dict[str, Any]


class Reply(Struct):
    """How far the model's reply has come; it may be spread over several stretches of a turn."""

    declared: list[str] = []
    settled: set[str] = set()
    """Calls that have asked, or have a result without that."""
    is_over: bool = False
    started: Usage = Usage()
    """As the beginning of the reply said it."""
    streamed: bool = False
    resets_at: int | None = None
    """When the quota is there again, where Claude said that it has run out."""

    @property
    def is_complete(self) -> bool:
        return self.is_over and self.settled.issuperset(self.declared)


class Hearing:
    """One stretch of a turn."""

    def __init__(self, inbox: Inbox, reply: Reply, billed: Callable[[float | None], float | None]) -> None:
        """`billed` says what came on top, from what all has cost so far."""
        self._billed = billed
        self._inbox = inbox
        self._reply = reply
        self._calls: list[CallRequested] = []
        self._usage = Usage()

    async def chunks(self) -> AsyncIterator[Chunk]:
        """Ends with Finished, or raises ProviderError."""
        reply = self._reply
        while not (self._calls and reply.is_complete):
            message = await self._inbox.next(SILENCE_S if self._calls and reply.is_over else None)
            if message is None:
                break
            if message["method"] == GONE:
                raise gone(message["params"]["why"])
            said = message["params"]
            if isinstance(said, ResultMessage):
                if said.is_error:
                    raise trouble(said, reply.resets_at)
                billed = self._billed(said.total_cost_usd)
                usage = self._usage if billed is None else replace(self._usage, billed_usd=billed)
                yield Finished(StopReason.END_TURN, usage)
                return
            for chunk in self._heard(message["method"], said):
                yield chunk
        for call in sorted(self._calls, key=self._order):
            yield call
        yield Finished(StopReason.TOOL_USE, self._usage)

    def _order(self, call: CallRequested) -> int:
        declared = self._reply.declared
        return declared.index(call.id) if call.id in declared else len(declared)

    def _heard(self, method: str, said: Any) -> list[Chunk]:
        if method == "ask":
            self._reply.settled.add(said["tool_use_id"])
            arguments = encode(said["tool_input"]).decode()
            self._calls.append(CallRequested(said["tool_use_id"], said["tool_name"], arguments))
            return []
        match said:
            case StreamEvent(parent_tool_use_id=None):
                return self._streamed(said.event)
            case AssistantMessage(parent_tool_use_id=None) if said.model != SYNTHETIC and not self._reply.streamed:
                return [TextDelta(block.text) for block in said.content if isinstance(block, TextBlock)]
            case SystemMessage(subtype="api_retry"):
                return [_retrying(said.data)]
            case RateLimitEvent(rate_limit_info=info):
                self._reply.resets_at = info.resets_at if info.status == "rejected" else None
                return []
            case _:
                return []

    def _streamed(self, event: Json) -> list[Chunk]:
        reply = self._reply
        match event.get("type"):
            case "message_start":
                reply.declared, reply.settled, reply.is_over, reply.streamed = [], set(), False, False
                reply.started = _usage(event["message"].get("usage"))
            case "content_block_start" if event["content_block"].get("type") == "tool_use":
                reply.declared.append(str(event["content_block"]["id"]))
            case "content_block_delta":
                reply.streamed = True
                delta = event["delta"]
                if delta.get("type") == "text_delta":
                    return [TextDelta(delta["text"])]
                if delta.get("type") == "thinking_delta":
                    return [ReasoningDelta(delta["thinking"])]
            case "message_delta":
                self._usage = self._usage.plus(_finished(reply.started, event.get("usage")))
            case "message_stop":
                reply.is_over = True
            case _:
                pass
        return []


def _usage(told: Any) -> Usage:
    usage = cast("Json", told) if isinstance(told, dict) else {}
    return Usage(
        input_tokens=int(usage.get("input_tokens") or 0),
        cache_read_tokens=int(usage.get("cache_read_input_tokens") or 0),
        cache_write_tokens=int(usage.get("cache_creation_input_tokens") or 0),
    )


def _finished(started: Usage, told: Any) -> Usage:
    usage = cast("Json", told) if isinstance(told, dict) else {}
    return started.plus(Usage(output_tokens=int(usage.get("output_tokens") or 0)))


def _retrying(data: Json) -> Retrying:
    return Retrying(
        attempt=int(data.get("attempt") or 1),
        attempts_max=int(data.get("max_retries") or 1),
        delay_s=float(data.get("retry_delay_ms") or 0) / 1000,
        reason=str(data.get("error") or data.get("error_status") or ""),
    )
