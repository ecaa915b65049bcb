"""What travels between client and server? Four envelopes; `params` and `result` are this room's structs.

In process the structs travel as they are; over a byte stream a transport encodes them. Ids count per direction.
"""

from typing import Any

from msgspec import Struct

PARSE_ERROR = -32700
"""The line is no JSON."""
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REFUSED = -32000
"""Understood, but it cannot be done; `data.kind` says why."""
OVERLOADED = -32001
"""Too much at once; the same request may succeed a moment later."""


class Request(Struct, frozen=True, kw_only=True):
    id: int | str
    method: str
    params: Any


class WireError(Struct, frozen=True, kw_only=True):
    code: int
    message: str
    data: Any = None


class Response(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: int | str | None
    """None answers a line from which no id could be read."""
    result: Any = None
    error: WireError | None = None


class Notification(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    method: str
    params: Any
    emitted_at_ms: int
    sequence: int | None = None
    """Counts per thread without gaps, so that a client knows what it has seen."""


Envelope = Request | Response | Notification


class Malformed(Struct, frozen=True, kw_only=True):
    """What arrived and is no envelope, with what is to be said about it. Never sent."""

    id: int | str | None
    error: WireError


class ClientInfo(Struct, frozen=True, kw_only=True, rename="camel"):
    name: str
    version: str
    title: str | None = None


class Capabilities(Struct, frozen=True, kw_only=True, rename="camel"):
    experimental_api: bool | None = None
    opt_out_notification_methods: list[str] | None = None
    """Not sent to this client."""
    daedal: bool | None = None
    """Ours: the client answers `item/tool/requestApproval`, with our offers, and needs no forms in its place."""


class InitializeParams(Struct, frozen=True, kw_only=True, rename="camel"):
    client_info: ClientInfo
    capabilities: Capabilities | None = None


class InitializeResponse(Struct, frozen=True, kw_only=True, rename="camel"):
    user_agent: str
    codex_home: str
    """Codex's own name for the product's home folder; ours here."""
    platform_family: str
    platform_os: str


class Nothing(Struct, frozen=True):
    """An empty object, where a method has nothing to say."""
