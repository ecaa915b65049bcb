"""How is a stored thread shown piece by piece? Items as they were told, with the turns that they are of."""

from daedal.engine.showing import stored_items
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.item_pages import ItemListParams, ItemListResponse, PlacedItem
from daedal.protocol.records import StoredEntry
from daedal.protocol.seams import Transcript

PAGE = 50
PAGE_MAX = 500


async def placed_items(transcript: Transcript, session_id: str, params: ItemListParams) -> ItemListResponse:
    limit = max(1, min(params.limit or PAGE, PAGE_MAX))
    page = await transcript.item_page(session_id, before=params.before, after=params.after, limit=limit)
    if page is None:
        raise UsageError(say("engine.no_such_item", id=session_id, item=params.before or params.after))
    entries, offset, total = page
    by_turn: dict[str, list[StoredEntry]] = {}
    for entry in entries:
        by_turn.setdefault(entry.turn_id, []).append(entry)
    found = [PlacedItem(turn_id=turn_id, item=item) for turn_id, told in by_turn.items() for item in stored_items(told)]
    return ItemListResponse(data=found, offset=offset, total=total)
