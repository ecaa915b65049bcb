"""How does one begin anew? A fresh session in the same conversation; the ledger keeps what was said before."""

from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.past_turns import has_said
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    del arguments
    if not has_said(face):
        face.clear_screen()
        face.tell(Notice(say("tui.clear.already")))
        return
    before = face.view.thread_id
    await face.open_thread(None)
    face.clear_screen()
    face.tell(Notice(say("tui.clear.done", id=before)))
