"""What can a face or a driver do? Call methods, see notifications in order, answer what the server asks."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from daedal.protocol.service import Transport
from daedal.protocol.turns import ErrorKind
from daedal.protocol.wire import INTERNAL_ERROR, METHOD_NOT_FOUND, Malformed, Notification, Request, Response, WireError


class CallFailed(Exception):
    """The server answered with an error."""

    def __init__(self, error: WireError) -> None:
        super().__init__(error.message)
        self.error = error

    @property
    def kind(self) -> ErrorKind:
        data: Any = self.error.data
        return ErrorKind(data["kind"]) if isinstance(data, dict) and "kind" in data else ErrorKind.INTERNAL


class Client:
    """Owns its end of the connection. `on_event` is called for each notification, in order, and must not wait."""

    def __init__(
        self,
        transport: Transport,
        *,
        on_event: Callable[[Notification], None],
        on_request: Callable[[Request], Awaitable[Any]] | None = None,
    ) -> None:
        self._transport = transport
        self._on_event = on_event
        self._on_request = on_request
        self._calls: dict[int | str, asyncio.Future[Any]] = {}
        self._answers: set[asyncio.Task[None]] = set()
        self._last_id = 0
        self._reader = asyncio.create_task(self._read())

    async def call(self, method: str, params: Any) -> Any:
        """The result, as the struct that belongs to the method. Raises CallFailed, or ConnectionError."""
        if self._reader.done():
            raise ConnectionError("the server is gone")
        self._last_id = number = self._last_id + 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._calls[number] = future
        try:
            await self._transport.send(Request(id=number, method=method, params=params))
            return await future
        finally:
            self._calls.pop(number, None)

    async def closed(self) -> None:
        """Returns when nothing more can come from the server."""
        await asyncio.wait([self._reader])

    async def close(self) -> None:
        """Leaves. Calls under way fail with ConnectionError; answers that are still being made are dropped."""
        self._transport.close()
        tasks = [self._reader, *self._answers]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    async def _read(self) -> None:
        try:
            while (envelope := await self._transport.receive()) is not None:
                match envelope:
                    case Notification():
                        self._on_event(envelope)
                    case Response():
                        self._settle(envelope)
                    case Request():
                        task = asyncio.create_task(self._answer(envelope))
                        self._answers.add(task)
                        task.add_done_callback(self._answers.discard)
                    case Malformed():
                        pass  # A server that stammers: what matters of it is missing anyway, and the wait ends somehow.
        finally:
            for future in self._calls.values():
                if not future.done():
                    future.set_exception(ConnectionError("the server is gone"))

    def _settle(self, response: Response) -> None:
        future = self._calls.pop(response.id, None) if response.id is not None else None
        if future is None or future.done():
            return
        if response.error is not None:
            future.set_exception(CallFailed(response.error))
        else:
            future.set_result(response.result)

    async def _answer(self, request: Request) -> None:
        error = None
        result = None
        if self._on_request is None:
            error = WireError(code=METHOD_NOT_FOUND, message=f"this client does not answer {request.method}")
        else:
            try:
                result = await self._on_request(request)
            except Exception as trouble:  # the server waits for an answer, whatever goes wrong while making it
                error = WireError(code=INTERNAL_ERROR, message=str(trouble))
        with suppress(ConnectionError):  # It may have left in the meantime.
            await self._transport.send(Response(id=request.id, result=result, error=error))
