"""When has a turn ended for the guest? When our engine says so, however it came to that: then the guest stops too."""

from collections.abc import Mapping

from daedal.guests.seat import Seat
from daedal.protocol.approvals import ApprovalAnswer, ApprovalRequest
from daedal.protocol.events import Event, TurnCompleted
from daedal.protocol.inquiries import InputAnswer, InputRequest
from daedal.protocol.service import Faces


class ListeningFaces:
    """The faces, with the guests listening to what is said about their threads."""

    def __init__(self, faces: Faces, seats: Mapping[str, Seat]) -> None:
        self._faces = faces
        self._seats = seats

    async def emit(self, thread_id: str, event: Event) -> None:
        seat = self._seats.get(thread_id)
        if seat is not None and isinstance(event, TurnCompleted):
            await seat.hush()
        await self._faces.emit(thread_id, event)

    def wants(self, thread_id: str, event: type[Event]) -> bool:
        return self._faces.wants(thread_id, event)

    async def ask(self, request: ApprovalRequest) -> ApprovalAnswer | None:
        return await self._faces.ask(request)

    async def inquire(self, request: InputRequest) -> InputAnswer | None:
        return await self._faces.inquire(request)
