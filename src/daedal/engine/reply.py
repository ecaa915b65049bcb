"""What did the model answer? One call's chunks, shown as they come and gathered into one reply."""

import re
import time
from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.protocol.content import Block, Kept, Message, Role, Text, ToolUse
from daedal.protocol.events import (
    AgentMessageDelta,
    Event,
    ItemCompleted,
    ItemStarted,
    ReasoningTextDelta,
    TurnTroubled,
)
from daedal.protocol.ids import new_id
from daedal.protocol.items import AgentMessage, Reasoning
from daedal.protocol.model import (
    BlockKept,
    CallRequested,
    Chunk,
    Finished,
    ReasoningDelta,
    Retrying,
    StopReason,
    TextDelta,
    Usage,
)
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Dialogue
from daedal.protocol.service import Faces
from daedal.protocol.turns import ErrorKind, TurnError

USABLE_ID = r"[A-Za-z0-9_-]{1,128}"


class MalformedCall(Struct, frozen=True):
    """A call whose arguments are not a JSON object; the model is told so instead of anything being run."""

    complaint: str


class Reply(Struct, frozen=True, kw_only=True):
    text: str
    calls: list[ToolUse]
    malformed: dict[str, MalformedCall]
    """By call id."""
    kept: list[Kept]
    stop: StopReason
    usage: Usage
    attempts: int
    duration_ms: int
    message_id: str = ""
    """Under which faces saw its text; the record has it under the same."""

    @property
    def blocks(self) -> list[Block]:
        text: list[Block] = [Text(self.text)] if self.text else []
        return [*text, *self.calls]

    def message(self) -> Message:
        return Message(Role.ASSISTANT, self.blocks, kept=self.kept)


class Listener:
    """Shows one model call to the faces while it streams. Holds what came so far, for an interrupted turn."""

    def __init__(self, faces: Faces, thread_id: str, turn_id: str, redact: Redactor, ids: set[str]) -> None:
        self._faces = faces
        self._thread_id = thread_id
        self._turn_id = turn_id
        self._redact = redact
        self._ids = ids
        self._attempts = 1
        self._started = time.monotonic()
        self._forget()

    def _forget(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._message_id = ""
        self._reasoning_id = ""
        self._calls: list[ToolUse] = []
        self._malformed: dict[str, MalformedCall] = {}
        self._kept: list[Kept] = []

    @property
    def text(self) -> str:
        return self._redact("".join(self._text))

    @property
    def attempts(self) -> int:
        return self._attempts

    @property
    def duration_ms(self) -> int:
        return int((time.monotonic() - self._started) * 1000)

    async def hear(self, dialogue: Dialogue, *, output_tokens_max: int | None) -> Reply:
        finished: Finished | None = None
        async for chunk in dialogue.stream(output_tokens_max=output_tokens_max):
            if isinstance(chunk, Finished):
                finished = chunk
            else:
                await self._take(chunk)
        assert finished is not None, "a dialogue's stream ends with Finished or raises"
        await self.close()
        return Reply(
            text=self.text,
            calls=self._calls,
            malformed=self._malformed,
            kept=self._kept,
            stop=finished.stop,
            usage=finished.usage,
            attempts=self._attempts,
            duration_ms=self.duration_ms,
            message_id=self._message_id,
        )

    async def close(self) -> None:
        """Completes the items that were started."""
        now = int(time.time() * 1000)
        items: list[Any] = []
        if self._reasoning_id:
            items.append(Reasoning(id=self._reasoning_id, summary=[], content=[self._redact("".join(self._reasoning))]))
        if self._message_id:
            items.append(AgentMessage(id=self._message_id, text=self.text))
        for item in items:
            await self._emit(
                ItemCompleted(thread_id=self._thread_id, turn_id=self._turn_id, item=item, completed_at_ms=now)
            )

    async def _take(self, chunk: Chunk) -> None:
        match chunk:
            case TextDelta(text):
                await self._say(text)
            case ReasoningDelta(text):
                await self._think(text)
            case CallRequested():
                self._call(chunk)
            case BlockKept(kept):
                # A block that names a credential cannot be sent back: without it, its signature would not hold.
                if self._redact(text := bytes(kept.block).decode("utf-8", "replace")) == text:
                    self._kept.append(kept)
            case Retrying():
                await self._retry(chunk)
            case Finished():
                pass

    async def _say(self, text: str) -> None:
        if not self._message_id:
            self._message_id = new_id()
            await self._begin(AgentMessage(id=self._message_id, text=""))
        self._text.append(text)
        await self._emit(
            AgentMessageDelta(
                thread_id=self._thread_id, turn_id=self._turn_id, item_id=self._message_id, delta=self._redact(text)
            )
        )

    async def _think(self, text: str) -> None:
        if not self._reasoning_id:
            self._reasoning_id = new_id()
            await self._begin(Reasoning(id=self._reasoning_id, summary=[], content=[]))
        self._reasoning.append(text)
        await self._emit(
            ReasoningTextDelta(
                thread_id=self._thread_id, turn_id=self._turn_id, item_id=self._reasoning_id, delta=self._redact(text)
            )
        )

    def _call(self, chunk: CallRequested) -> None:
        # Local servers repeat ids or leave them out; results are matched by id, so each must be our only one.
        usable = re.fullmatch(USABLE_ID, chunk.id) and chunk.id not in self._ids
        call_id = chunk.id if usable else f"call_{new_id()}"
        self._ids.add(call_id)
        # Redacted as data, not as text: an escape in the JSON would hide a secret from a search through it.
        arguments, complaint = parse_arguments(chunk.arguments)
        arguments = self._redact.value(arguments)
        if complaint:
            self._malformed[call_id] = MalformedCall(complaint)
        self._calls.append(ToolUse(call_id, self._redact(chunk.name), arguments))

    async def _retry(self, chunk: Retrying) -> None:
        self._attempts += 1
        self._forget()
        await self._emit(
            TurnTroubled(
                thread_id=self._thread_id,
                turn_id=self._turn_id,
                will_retry=True,
                error=TurnError(
                    message=self._redact(chunk.reason),
                    kind=ErrorKind.NETWORK,
                    additional_details=f"{chunk.attempt}/{chunk.attempts_max} {chunk.delay_s:.1f}",
                ),
            )
        )

    async def _begin(self, item: AgentMessage | Reasoning) -> None:
        now = int(time.time() * 1000)
        await self._emit(ItemStarted(thread_id=self._thread_id, turn_id=self._turn_id, item=item, started_at_ms=now))

    async def _emit(self, event: Event) -> None:
        await self._faces.emit(self._thread_id, event)


def parse_arguments(text: str) -> tuple[dict[str, Any], str]:
    """The arguments, and what is wrong with them where they are no JSON object."""
    if not text.strip():
        return {}, ""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        readable = text.encode("utf-8", "replace").decode()
        return {"_malformed": readable}, f"the arguments are not valid JSON ({error})"
    if not isinstance(value, dict):
        return {"_malformed": text}, "the arguments must be a JSON object"
    return cast("dict[str, Any]", value), ""
