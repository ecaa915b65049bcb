"""How is a running turn given more, and how is a review asked for?"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from daedal.protocol.items import Given
from daedal.protocol.turns import Turn


class TurnSteerParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    expected_turn_id: str
    input: Sequence[Given]


class TurnSteerResponse(Struct, rename="camel", frozen=True, kw_only=True):
    turn_id: str


class ReviewStartParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    target: dict[str, Any]
    delivery: str | None = None


class ReviewStartResponse(Struct, rename="camel", frozen=True, kw_only=True):
    turn: Turn
    review_thread_id: str
