"""What does the scripted model answer? A reply is data, says nothing about a wire, and works on all three.

think("Let me look.") + say("Reading.") + call("Read", file_path="a.py")
say("long text", chunks=200)                  # 200 text deltas
calls(("Bash", {"command": "ls"}), ("Glob", {"pattern": "*"}))
malformed("Bash", '{"command": "ls')          # arguments that are not JSON
fail(429, retry_after="1")                    # an HTTP error instead of a stream
drop(after=3)                                 # the connection breaks after three events
stall(after=2)                                # two events, then silence until released or the client leaves
overloaded(after=2)                           # an error event inside the stream
say("hi").but(usage=Tokens(input=10, output=2), separately=True)
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct


class Words(Struct, tag_field="type", tag="words", frozen=True):
    text: str
    chunks: int = 1
    """How many deltas the text is cut into."""


class Thinking(Struct, tag_field="type", tag="thinking", frozen=True):
    text: str
    signature: str = "c2lnbmVk"
    chunks: int = 1


class HiddenThinking(Struct, tag_field="type", tag="hidden_thinking", frozen=True):
    """Thinking that only the vendor can read (`redacted_thinking`, reasoning without a summary)."""

    data: str = "aGlkZGVu"


class Call(Struct, tag_field="type", tag="call", frozen=True):
    tool: str
    input: dict[str, Any] = {}
    arguments: str | None = None
    """The raw argument text, in place of `input`, for arguments that are not JSON."""
    id: str | None = None
    """None: the server makes one from request and position. "": the wire carries none."""
    pieces: int = 1
    """How many deltas the argument text is cut into."""

    def id_at(self, number: int, position: int) -> str:
        return f"toolu_{number:04}_{position}" if self.id is None else self.id

    @property
    def argument_text(self) -> str:
        return msgspec.json.encode(self.input).decode() if self.arguments is None else self.arguments


Part = Words | Thinking | HiddenThinking | Call


class Tokens(Struct, frozen=True):
    """What the reply says it used. `input` leaves out cached tokens, as Anthropic counts."""

    input: int = 11
    output: int = 7
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    parts: list[Part] = []
    stop: Literal["", "end_turn", "tool_use", "max_tokens", "refusal"] = ""
    """Empty: `tool_use` where there are calls, else `end_turn`."""
    usage: Tokens | None = Tokens()
    """None: the wire says nothing about usage."""
    quirks: list[Literal["no_index", "stop_with_calls", "null_content", "no_done", "unknown_events"]] = []
    """Habits of less exact servers; see `model_wires`."""
    separately: bool = False
    """Each event in a write of its own; otherwise the whole reply leaves in one."""
    status: int = 200
    headers: dict[str, str] = {}
    body: str | None = None
    """Sent as it is, in place of a stream. With a status above 200 and no body, a vendor-like error is sent."""
    error: str = ""
    """The message of that error."""
    break_after: int | None = None
    """Stop after so many events (-1: before the response head) and do what `break_how` says."""
    break_how: Literal["close", "reset", "end", "stall", "overloaded", "server_error"] = "close"
    times: int = 1
    """How many requests get this reply before the next one is due; 0 means all."""

    @property
    def stopped(self) -> str:
        called = any(isinstance(part, Call) for part in self.parts)
        return self.stop or ("tool_use" if called else "end_turn")

    def but(self, **changes: Any) -> "Reply":
        return msgspec.structs.replace(self, **changes)

    def __add__(self, other: "Reply") -> "Reply":
        """The parts of both, with the options of the last."""
        return other.but(parts=[*self.parts, *other.parts])


def cut(text: str, pieces: int) -> list[str]:
    """The text in (at most) so many pieces of one size."""
    size = max(1, -(-len(text) // max(1, pieces)))
    return [text[at : at + size] for at in range(0, len(text), size)]


def say(text: str, chunks: int = 1) -> Reply:
    return Reply(parts=[Words(text, chunks)])


def think(text: str, signature: str = "c2lnbmVk", chunks: int = 1) -> Reply:
    return Reply(parts=[Thinking(text, signature, chunks)])


def hidden_thinking(data: str = "aGlkZGVu") -> Reply:
    return Reply(parts=[HiddenThinking(data)])


def call(tool: str, /, **arguments: Any) -> Reply:
    return Reply(parts=[Call(tool, arguments)])


def calls(*wanted: tuple[str, Mapping[str, Any]] | Call) -> Reply:
    """Several calls in one reply."""
    return Reply(parts=[each if isinstance(each, Call) else Call(each[0], dict(each[1])) for each in wanted])


def malformed(tool: str, arguments: str = '{"command": "ls') -> Reply:
    return Reply(parts=[Call(tool, arguments=arguments)])


def empty() -> Reply:
    """A reply that ends without having said anything."""
    return Reply()


def refuse(text: str = "I cannot help with that.") -> Reply:
    """The model declines."""
    return say(text).but(stop="refusal")


def cut_off(text: str) -> Reply:
    """The model ran out of output tokens."""
    return say(text).but(stop="max_tokens")


def huge(size: int, chunks: int = 64) -> Reply:
    return say("0123456789abcde\n" * (size // 16 + 1), chunks)


def fail(
    status: int, error: str = "", *, retry_after: str | None = None, body: str | None = None, **headers: str
) -> Reply:
    """An HTTP status instead of an answer. Header names are given with underscores."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if retry_after is not None:
        sent["retry-after"] = retry_after
    return Reply(status=status, headers=sent, body=body, error=error or f"scripted status {status}")


def page(body: str, content_type: str = "text/html") -> Reply:
    """A 200 that is no stream, as a captive portal or a wrong URL answers."""
    return Reply(body=body, headers={"content-type": content_type})


HALF = say("half a sentence that never ends", chunks=4)


def drop(after: int = 3, reply: Reply = HALF, how: Literal["close", "reset", "end"] = "close") -> Reply:
    """The connection breaks after so many events; -1 breaks it before anything is answered."""
    return reply.but(break_after=after, break_how=how)


def stall(after: int = 2, reply: Reply = HALF) -> Reply:
    """Silence after so many events, until `release` or until the client leaves; -1: not even a response head."""
    return reply.but(break_after=after, break_how="stall")


def overloaded(after: int = 2, reply: Reply = HALF) -> Reply:
    """An error event that is worth a retry, inside the stream."""
    return reply.but(break_after=after, break_how="overloaded")


def scenario_json(replies: Sequence[Reply]) -> bytes:
    """A scenario as `python -m tests.toolbox.model_server --scenario` reads it."""
    return msgspec.json.encode(list(replies))


def scenario_from_json(text: bytes) -> list[Reply]:
    return msgspec.json.decode(text, type=list[Reply])
