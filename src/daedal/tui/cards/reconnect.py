"""The server is gone: shall we look for it again? What was typed is kept either way."""

from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.overlays.choosing import Choosing, Option


class Reconnect(Choosing):
    is_urgent = True


async def wants_to(face: Face) -> bool:
    options = [
        Option(say("tui.reconnect.again"), "again", letter="r"),
        Option(say("tui.reconnect.leave"), "leave", letter="q"),
    ]
    chosen = await face.show(Reconnect(say("tui.reconnect.question"), options))
    if chosen == "leave":
        face.leave()
    return chosen == "again"
