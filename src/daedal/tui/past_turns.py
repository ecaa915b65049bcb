"""What happened in a session before what the chat keeps at hand? All of its turns, page by page."""

from collections.abc import AsyncIterator

from daedal.protocol.shelving import TurnListParams
from daedal.protocol.turns import Turn
from daedal.tui.face import Face

PAGE = 100


async def turns(face: Face, *, newest_first: bool = False) -> AsyncIterator[Turn]:
    cursor: str | None = None
    while True:
        params = TurnListParams(
            thread_id=face.view.thread_id,
            cursor=cursor,
            limit=PAGE,
            items_view="full",
            sort_direction="desc" if newest_first else "asc",
        )
        answer = await face.call("thread/turns/list", params)
        for turn in answer.data:
            yield turn
        cursor = answer.next_cursor
        if cursor is None:
            return


def has_said(face: Face) -> bool:
    """Whether there is anything on the record of this session."""
    return any(entry.turn_id for entry in face.view.entries)
