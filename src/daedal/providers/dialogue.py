"""How does a conversation with a model over HTTP go? It grows by bytes that are made once, and is sent as a whole.

A request is opening + messages + closing. What was appended before is copied, never serialised again, so that
a step costs the same however long the dialogue is, and a vendor's cache finds the same prefix each time. Tools that
are offered later change the opening alone.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from daedal.protocol.catalogue import say
from daedal.protocol.content import Message
from daedal.protocol.model import Brief, Chunk, ModelCard, ToolSpec
from daedal.protocol.redaction import Redactor
from daedal.protocol.turns import ErrorKind
from daedal.providers.failures import (
    ERROR_BODY_BYTES_MAX,
    Failure,
    VendorError,
    broken_off,
    from_status,
    garbled,
    vendor_error,
)
from daedal.providers.retry import persistently
from daedal.providers.settings import NetworkSettings
from daedal.providers.sse import EventSplitter, EventTooLong
from daedal.providers.transport import Response, Transport
from daedal.providers.wire import Reader, Reply, Wire

if TYPE_CHECKING:
    from daedal.providers.access import Access, Grant
    from daedal.providers.vision import Blindfold

PIECE_BYTES = 262_144
"""Small enough that the last piece is made anew at no cost, large enough that a long dialogue leaves in few writes."""
BOOKKEEPING_S = 5.0
"""How long we wait for usage figures after a reply is whole."""


class HttpProvider:
    """A model endpoint behind HTTP; the same for every vendor."""

    def __init__(
        self,
        *,
        card: ModelCard,
        wire: Wire,
        transport: Transport,
        network: NetworkSettings,
        where: str,
        variable: str,
        redact: Redactor,
        sees_images: bool = True,
        access: "Access | None" = None,
        headers_of: "Callable[[Grant], dict[str, str]] | None" = None,
    ) -> None:
        """`access` grants each request its credential where the transport knows none; `headers_of` writes that down."""
        self.card = card
        self.sees_images = sees_images
        self._wire = wire
        self._transport = transport
        self._network = network
        self._where = where
        self._variable = variable
        self._redact = redact
        self._access = access
        self._headers_of = headers_of

    def open(self, brief: Brief) -> "HttpDialogue":
        return HttpDialogue(self, self._wire, brief)

    async def close(self) -> None:
        if self._access is not None:
            await self._access.close()
        self._transport.close()

    def ask(self, body: list[bytes], make_reader: Callable[[], Reader] | None = None) -> AsyncGenerator[Chunk, None]:
        """`make_reader` is for requests that are no dialogue; each attempt gets its own reader."""
        make_reader = make_reader or self._wire.reader
        if self._access is None:
            return persistently(lambda: self._attempt(body, make_reader), self._network)
        return self._ask_granted(self._access, body, make_reader)

    def _ask_granted(
        self, access: "Access", body: list[bytes], make_reader: Callable[[], Reader]
    ) -> AsyncGenerator[Chunk, None]:
        from daedal.providers.access import granted

        def attempt(grant: "Grant") -> AsyncGenerator[Chunk, None]:
            self._redact.learn(grant.source, grant.secret)
            lines = self._headers_of(grant) if self._headers_of else {}
            further = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            return self._attempt(body, make_reader, further.encode("latin-1"))

        return persistently(lambda: granted(access, attempt), self._network)

    async def _attempt(
        self, body: list[bytes], make_reader: Callable[[], Reader], further: bytes = b""
    ) -> AsyncGenerator[Chunk, None]:
        response = await self._transport.post(body, further)
        reader, reply, splitter = make_reader(), Reply(), EventSplitter()
        try:
            await self._check(response)
            while not reader.ended:
                data = await self._next(response, reader)
                _read(data, splitter, reader, reply)
                for chunk in reply.take():
                    yield chunk
                if not data:
                    break
            if not reader.complete:
                raise broken_off()
        finally:
            response.leave(whole=reader.ended)
        finished = reader.finish(reply)
        for chunk in reply.take():
            yield chunk
        yield finished

    async def _next(self, response: Response, reader: Reader) -> bytes:
        idle_s = self._network.idle_timeout_s
        try:
            return await response.read(min(idle_s, BOOKKEEPING_S) if reader.complete else idle_s)
        except Failure:
            if reader.complete:
                return b""
            raise

    async def _check(self, response: Response) -> None:
        """Raises Failure unless the answer is a stream of events."""
        kind = response.headers.get("content-type", "").lower()
        if response.status == 200 and "html" not in kind and "json" not in kind:
            return
        body = await response.read_up_to(ERROR_BODY_BYTES_MAX, self._network.idle_timeout_s)
        error = vendor_error(body)
        error = VendorError(self._redact(error.message), error.code)
        if response.status != 200:
            raise from_status(
                response.status,
                response.headers,
                error,
                where=self._where,
                variable=self._variable,
                model=self.card.wire_model,
            )
        reason = say("providers.no_stream", where=self._where, kind=kind.partition(";")[0], message=error.message)
        advice = say("providers.check_url")
        raise Failure(reason, ErrorKind.CONFIGURATION, retry=False, advice=advice, status=200)


def _read(data: bytes, splitter: EventSplitter, reader: Reader, reply: Reply) -> None:
    """Everything that one network read brought, so that its text becomes one chunk. No data: the stream is over."""
    try:
        for payload in splitter.feed(data) if data else splitter.end():
            reader.read(payload, reply)
    except EventTooLong as error:
        raise garbled(say("providers.event_too_long")) from error


class HttpDialogue:
    def __init__(self, provider: HttpProvider, wire: Wire, brief: Brief) -> None:
        self._provider = provider
        self._wire = wire
        self._system = brief.system
        self._opening = wire.opening(brief)
        """A piece of its own, so that other tools can be offered without a look at the dialogue."""
        self._settled: list[bytes] = []
        """Everything before the last message, in large pieces; only ever grows. They are sent as they are: joining
        them would copy the whole dialogue for each request."""
        self._growing = bytearray()
        """What follows them, until it is large enough to be settled."""
        self._comma = b"" if self._opening.endswith(b"[") else b","
        self._last = b""
        self._bytes = 0
        """Of all messages so far."""
        self._blindfold = None if provider.sees_images else _blindfold()

    def append(self, message: Message) -> None:
        if message.kept:
            message = _own(message, self._provider.card.key)
        if self._blindfold is not None:
            message = self._blindfold.over(message)
        element = self._wire.message(message)
        if not element:
            return
        if self._last:
            self._growing += self._comma + self._last
            self._comma = b","
            if len(self._growing) >= PIECE_BYTES:
                self._settled.append(bytes(self._growing))
                self._growing.clear()
        self._last = element
        self._bytes += len(element) + 1

    @property
    def size(self) -> int:
        return len(self._opening) + self._bytes

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        self._opening = self._wire.opening(Brief(system=self._system, tools=list(tools)))

    def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:
        return self._provider.ask(self._body(output_tokens_max))

    def request(self) -> bytes:
        return b"".join(self._body(None))

    def _body(self, output_tokens_max: int | None) -> list[bytes]:
        last = self._comma + self._wire.as_last(self._last) if self._last else b""
        end = b"".join((self._growing, last, self._wire.closing(output_tokens_max)))
        return [self._opening, *self._settled, end]


def _own(message: Message, key: str) -> Message:
    """Without what is sealed for another model, which alone can open it."""
    kept = [kept for kept in message.kept if kept.by in ("", key)]
    return message if len(kept) == len(message.kept) else replace(message, kept=kept)


def _blindfold() -> "Blindfold":
    from daedal.providers.vision import Blindfold

    return Blindfold()
