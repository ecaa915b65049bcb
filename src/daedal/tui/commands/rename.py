"""What is this session called? A name under which it is found again; without one, its first prompt."""

from daedal.protocol.catalogue import say
from daedal.protocol.shelving import ThreadNameParams
from daedal.tui.face import Face
from daedal.tui.overlays.asking import Asking
from daedal.tui.past_turns import has_said
from daedal.tui.view import Notice

LENGTH_MAX = 100


async def run(face: Face, arguments: str) -> None:
    if not has_said(face):
        face.tell(Notice(say("tui.rename.nothing"), "warn"))
        return
    given = arguments.strip() or await face.show(Asking(say("tui.rename.question")))
    name = " ".join((given or "").split())[:LENGTH_MAX]
    if not name:
        return
    await face.call("thread/name/set", ThreadNameParams(thread_id=face.view.thread_id, name=name))
    face.tell(Notice(say("tui.rename.done", name=name)))
