"""How is a long thread read piece by piece? So many items before or after one that is known."""

from msgspec import Struct

from daedal.protocol.items import Item


class ItemListParams(Struct, rename="camel", frozen=True, kw_only=True):
    """The newest items where neither side is named."""

    thread_id: str
    before: str | None = None
    """The id of an item: those that came right before it."""
    after: str | None = None
    """Those that came right after it; the first ones of the thread where it is empty."""
    limit: int | None = None


class PlacedItem(Struct, rename="camel", frozen=True, kw_only=True):
    turn_id: str
    item: Item


class ItemListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[PlacedItem]
    """Always in the order in which they came."""
    offset: int
    """How many items there are before the first of these."""
    total: int
