"""Where does our engine look for a guest's model? Here; the dialogue belongs to the seat whose tools come along."""

import asyncio
from collections.abc import Callable

from daedal.guests.seat import Seat
from daedal.guests.toolbox import SeatSpec
from daedal.protocol.model import Brief, ModelCard
from daedal.protocol.seams import Dialogue


class GuestProvider:
    """The `Provider` seam. The connection itself is the seat's, which closes it."""

    def __init__(self, card: ModelCard, newest: Callable[[], Seat]) -> None:
        """`newest` is the seat that was made last."""
        self.card = card
        self._newest = newest

    def open(self, brief: Brief) -> Dialogue:
        seats: list[Seat] = [spec.seat for spec in brief.tools if isinstance(spec, SeatSpec)]
        # A sub-agent may have a choice of tools without the seat in it; its dialogue is opened as soon as they exist.
        seat = seats[0] if seats else self._newest()
        seat.system = brief.system
        # What the record holds is appended before anything else can happen; whatever comes later is new.
        asyncio.get_running_loop().call_soon(seat.dialogue.begin)
        return seat.dialogue

    async def close(self) -> None:
        return None
