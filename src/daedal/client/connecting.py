"""How is a server reached that runs elsewhere on this machine? By its address, as it says when it listens."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from daedal import __version__
from daedal.client.connection import CallFailed, Client
from daedal.client.lines import LINE_BYTES_MAX, LineTransport, StreamSink
from daedal.client.typed import TypedTransport
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.wire import Capabilities, ClientInfo, InitializeParams, Notification, Request

HELLO_S = 30.0


async def connect(
    address: str,
    *,
    name: str,
    token: str = "",
    on_event: Callable[[Notification], None],
    on_request: Callable[[Request], Awaitable[Any]] | None = None,
) -> Client:
    """A client that has said hello. `address` is `unix://PATH` or `ws://HOST:PORT`. Raises UsageError."""
    try:
        async with asyncio.timeout(HELLO_S):
            transport = await _reach(address, token)
            client = Client(TypedTransport(transport), on_event=on_event, on_request=on_request)
            await _greet(client, name)
    except (OSError, CallFailed) as error:
        why = str(error) or say("server.no_answer", seconds=f"{HELLO_S:g}")
        raise UsageError(say("server.unreachable", address=address, error=why)) from error
    return client


async def _greet(client: Client, name: str) -> None:
    """Leaves where it is not answered."""
    hello = InitializeParams(
        client_info=ClientInfo(name=name, version=__version__), capabilities=Capabilities(daedal=True)
    )
    try:
        await client.call("initialize", hello)
    except BaseException:
        await client.close()
        raise


async def _reach(address: str, token: str) -> LineTransport:
    scheme, _, rest = address.partition("://")
    if scheme == "unix":
        reader, writer = await asyncio.open_unix_connection(rest)
        return LineTransport(reader, StreamSink(writer))
    if scheme == "ws":
        return await _reach_websocket(address, token)
    raise UsageError(say("server.listen_address", address=address))


async def _reach_websocket(address: str, token: str) -> LineTransport:
    from websockets.asyncio.client import connect as connect_websocket
    from websockets.exceptions import WebSocketException

    from daedal.client.frames import FrameSink, FrameSource

    headers = {"Authorization": f"Bearer {token}"}
    try:
        peer = await connect_websocket(
            address, additional_headers=headers, max_size=LINE_BYTES_MAX, compression=None, proxy=None
        )
    except WebSocketException as error:
        raise ConnectionError(str(error)) from error
    return LineTransport(FrameSource(peer), FrameSink(peer))
