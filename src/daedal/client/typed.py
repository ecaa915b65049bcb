"""How does what a server sends become structs again? By the method: of the request, the event, or what was asked."""

from typing import Any

import msgspec

from daedal.client.reading import event_of
from daedal.protocol.messages import ASKED, RESULTS
from daedal.protocol.service import Transport
from daedal.protocol.wire import Envelope, Malformed, Notification, Request, Response


class TypedTransport:
    """A client's end. What it does not know stays as it came: servers may be newer than their clients."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._asked: dict[int | str, str] = {}
        self.close = transport.close

    async def send(self, envelope: Envelope) -> None:
        if isinstance(envelope, Request):
            self._asked[envelope.id] = envelope.method
        await self._transport.send(envelope)

    async def receive(self) -> Envelope | Malformed | None:
        envelope = await self._transport.receive()
        match envelope:
            case Response(id=number, error=error, result=result) if number is not None:
                kind = RESULTS.get(self._asked.pop(number, ""))
                return envelope if error is not None else Response(id=number, result=_as(kind, result))
            case Notification():
                event = event_of(envelope.method, envelope.params)
                return envelope if event is None else msgspec.structs.replace(envelope, params=event)
            case Request() if envelope.method in ASKED:
                return msgspec.structs.replace(envelope, params=_as(ASKED[envelope.method][0], envelope.params))
            case _:
                return envelope


def _as(kind: Any, value: Any) -> Any:
    if kind is None:
        return value
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return value
