"""How does a model follow a script that a person wrote? A JSON file with a list of replies, given in order.

[
  {"think": "The test fails in add().", "say": "Let me look.", "call": "Read", "input": {"file_path": "calc.py"}},
  {"calls": [{"call": "Grep", "input": {"pattern": "add"}}, {"call": "Glob", "input": {"pattern": "*.py"}}]},
  {"call": "Bash", "arguments": "{\\"command\\": not JSON"},
  {"say": "Done.", "usage": {"input_tokens": 1200, "output_tokens": 40}},
  {"say": "I would rather not.", "stop": "refusal"}
]

Every key may be left out. `call` with `input` (or, for malformed ones, the raw `arguments`) is one call, `calls`
several. `stop` is `end_turn`, `tool_use`, `max_tokens` or `refusal`, and follows from the calls if left out. When the
replies are used up, the next request fails with a message that says so.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.model import (
    Brief,
    CallRequested,
    Chunk,
    Finished,
    ModelCard,
    ReasoningDelta,
    StopReason,
    TextDelta,
    ToolSpec,
    Usage,
)
from daedal.protocol.turns import ErrorKind
from daedal.providers.unsent import Unsent


class ScriptedCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    call: str
    input: dict[str, Any] | None = None
    arguments: str | None = None


class ScriptedUsage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0


class ScriptedReply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    think: str = ""
    say: str = ""
    call: str | None = None
    input: dict[str, Any] | None = None
    arguments: str | None = None
    calls: list[ScriptedCall] = []
    stop: StopReason | None = None
    usage: ScriptedUsage = ScriptedUsage()

    def wanted(self) -> list[ScriptedCall]:
        if self.call is None:
            return self.calls
        return [ScriptedCall(call=self.call, input=self.input, arguments=self.arguments), *self.calls]


class ScriptedProvider:
    """All dialogues share one script: the next call takes the next reply, whoever makes it."""

    def __init__(self, path: str, card: ModelCard) -> None:
        self.card = card
        self._path = path
        self._replies = read(path)
        self._position = 0

    def open(self, brief: Brief) -> "ScriptedDialogue":
        return ScriptedDialogue(self, brief)

    async def close(self) -> None:
        pass

    def take(self) -> ScriptedReply:
        if self._position >= len(self._replies):
            message = say("providers.script_used_up", path=self._path, replies=len(self._replies))
            raise ProviderError(message, ErrorKind.CONFIGURATION)
        self._position += 1
        return self._replies[self._position - 1]


class ScriptedDialogue(Unsent):
    def __init__(self, provider: ScriptedProvider, brief: Brief) -> None:
        super().__init__(brief)
        self._provider = provider

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        """What it may call does not change the script."""

    async def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:  # noqa: ARG002
        reply = self._provider.take()
        calls = reply.wanted()
        if reply.think:
            yield ReasoningDelta(reply.think)
        if reply.say:
            yield TextDelta(reply.say)
        for wanted in calls:
            raw = wanted.arguments
            arguments = msgspec.json.encode(wanted.input or {}).decode() if raw is None else raw
            yield CallRequested("", wanted.call, arguments)
        stop = reply.stop or (StopReason.TOOL_USE if calls else StopReason.END_TURN)
        yield Finished(stop, msgspec.convert(msgspec.to_builtins(reply.usage), Usage))


def read(path: str) -> list[ScriptedReply]:
    """Raises ConfigurationError with the file and the place in it."""
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError as error:
        raise ConfigurationError(say("providers.file_unreadable", path=path, why=error.strerror)) from error
    try:
        replies = msgspec.json.decode(text, type=list[ScriptedReply])
    except msgspec.ValidationError as error:
        raise _wrong(path, *_place(str(error))) from error
    except ValueError as error:
        raise _wrong(path, _line(text, str(error)), str(error)) from error
    for number, reply in enumerate(replies, 1):
        _check(path, number, reply)
    return replies


def _check(path: str, number: int, reply: ScriptedReply) -> None:
    place = say("providers.script_reply", number=number)
    if reply.call is None and (reply.input is not None or reply.arguments is not None):
        raise _wrong(path, place, say("providers.script_input_alone"))
    if any(call.input is not None and call.arguments is not None for call in reply.wanted()):
        raise _wrong(path, place, say("providers.script_input_twice"))


def _place(message: str) -> tuple[str, str]:
    """`… - at `$[2].say`` becomes the number of the reply, and what is wrong with it."""
    what, _, path = message.partition(" - at `$")
    index = path.removeprefix("[").partition("]")[0]
    place = say("providers.script_reply", number=int(index) + 1) if index.isdigit() else say("providers.script_whole")
    key = path.partition("]")[2].rstrip("`")
    return place, f"{what} ({key.lstrip('.')})" if key else what


def _line(text: bytes, message: str) -> str:
    """msgspec says which byte; people want a line."""
    byte = message.rpartition("(byte ")[2].rstrip(")")
    line = text[: int(byte)].count(b"\n") + 1 if byte.isdigit() else text.count(b"\n") + 1
    return say("providers.script_line", line=line)


def _wrong(path: str, place: str, what: str) -> ConfigurationError:
    return ConfigurationError(say("providers.script_wrong", path=path, place=place, what=what))
