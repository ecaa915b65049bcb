"""Which colours does the chat wear? Chosen once, remembered."""

from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.themes import NAMES
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    name = arguments.strip() or await _chosen(face)
    if name is None:
        return
    if name not in NAMES:
        face.tell(Notice(say("tui.theme.unknown", name=name, known=", ".join(NAMES)), "warn"))
        return
    face.wear(name)
    face.remembered.choose(theme=name)
    face.tell(Notice(say("tui.theme.now", name=name)))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del face, arguments
    return [Offer(name) for name in NAMES]


async def _chosen(face: Face) -> str | None:
    now = face.remembered.choices.theme
    options = [Option(name, name) for name in NAMES]
    return await face.show(Choosing(say("tui.theme.choose"), options, chosen=NAMES.index(now) if now in NAMES else 0))
