"""How do lines travel over a websocket? Each as a message of its own, on either side."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection


class FrameSource:
    """Each message is a line."""

    def __init__(self, peer: "Connection") -> None:
        self._peer = peer

    async def read(self, n: int) -> bytes:
        from websockets.exceptions import ConnectionClosed

        del n
        try:
            message = await self._peer.recv()
        except ConnectionClosed:
            return b""
        raw = message.encode() if isinstance(message, str) else message
        # A line break between the tokens of a message means nothing, and inside of them there is none.
        return raw.replace(b"\n", b" ") + b"\n"


class FrameSink:
    def __init__(self, peer: "Connection") -> None:
        self._peer = peer
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        self._waiting += data.splitlines()

    async def drain(self) -> None:
        from websockets.exceptions import ConnectionClosed

        lines, self._waiting = self._waiting, []
        try:
            for line in lines:
                await self._peer.send(line.decode())
        except ConnectionClosed as error:
            raise ConnectionError from error

    async def close(self) -> None:
        await self._peer.close()

    def abort(self) -> None:
        self._peer.transport.abort()
