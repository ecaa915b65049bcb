"""What passes over one client's connection? Its requests are dispatched, each in its own task; answers are matched."""

import asyncio
from typing import Any, TypeVar

from daedal.protocol.approvals import ApprovalAnswer, ApprovalRequest, approval_method
from daedal.protocol.errors import DaedalError
from daedal.protocol.inquiries import INQUIRY_METHOD, InputAnswer, InputRequest
from daedal.protocol.service import Engine, Transport
from daedal.protocol.wire import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    InitializeResponse,
    Malformed,
    Notification,
    Request,
    Response,
    WireError,
)
from daedal.server.methods import InvalidParams, UnknownMethod, dispatch

Answer = TypeVar("Answer")


class Connection:
    def __init__(self, engine: Engine, transport: Transport) -> None:
        self._engine = engine
        self._transport = transport
        self._asked: dict[int | str, asyncio.Future[Any]] = {}
        self._last_id = -1
        self._unwanted: frozenset[str] | None = None
        """What it does not want to hear; None until it has introduced itself."""

    def wants(self, method: str) -> bool:
        """Whether something that is worked out only to be told would be heard here."""
        return self._unwanted is not None and method not in self._unwanted

    async def run(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                while (envelope := await self._transport.receive()) is not None:
                    match envelope:
                        case Request():
                            group.create_task(self._respond(envelope))
                        case Response():
                            self._settle(envelope)
                        case Notification() | Malformed():
                            pass
                # Before the group waits for its requests: one of them may be waiting for an answer of this client.
                self._leave()
        finally:
            self._leave()

    def _leave(self) -> None:
        for future in self._asked.values():
            if not future.done():
                future.set_exception(ConnectionError("the client is gone"))

    async def notify(self, notification: Notification) -> None:
        await self._transport.send(notification)

    async def ask(self, request: ApprovalRequest) -> ApprovalAnswer | None:
        """None where this client cannot answer."""
        return await self._ask(approval_method(request.tool), request, ApprovalAnswer)

    async def inquire(self, request: InputRequest) -> InputAnswer | None:
        return await self._ask(INQUIRY_METHOD, request, InputAnswer)

    async def _ask(self, method: str, params: Any, kind: type[Answer]) -> Answer | None:
        self._last_id += 1
        request_id = self._last_id
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[request_id] = future
        try:
            await self._transport.send(Request(id=request_id, method=method, params=params))
            answer = await future
            return answer if isinstance(answer, kind) else None
        finally:
            del self._asked[request_id]

    def _settle(self, response: Response) -> None:
        future = self._asked.get(response.id) if response.id is not None else None
        if future is None or future.done():
            return
        future.set_result(response.result if response.error is None else None)

    async def _respond(self, request: Request) -> None:
        try:
            response = Response(id=request.id, result=await dispatch(self._engine, request))
            if isinstance(response.result, InitializeResponse):
                able = getattr(request.params, "capabilities", None)
                self._unwanted = frozenset(able.opt_out_notification_methods or ()) if able else frozenset()
        except UnknownMethod:
            response = _error(request, METHOD_NOT_FOUND, f"unknown method {request.method}")
        except InvalidParams as trouble:
            response = _error(request, INVALID_PARAMS, str(trouble))
        except DaedalError as trouble:
            response = _error(request, INVALID_REQUEST, str(trouble), {"kind": str(trouble.kind)})
        except Exception as trouble:  # the top of a request: whatever it is, the client gets an answer
            response = _error(request, INTERNAL_ERROR, f"{type(trouble).__name__}: {trouble}")
        try:
            await self._transport.send(response)
        except ConnectionError:
            return  # The client left without waiting for its answer.


def _error(request: Request, code: int, message: str, data: Any = None) -> Response:
    return Response(id=request.id, error=WireError(code=code, message=message, data=data))
