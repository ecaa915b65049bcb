"""How does one try something without losing the thread? In a copy of it; the session itself stays as it is."""

from daedal.protocol.catalogue import say
from daedal.protocol.shelving import ThreadForkParams
from daedal.tui.face import Face
from daedal.tui.past_turns import has_said
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    del arguments
    if not has_said(face):
        face.tell(Notice(say("tui.fork.nothing"), "warn"))
        return
    before = face.view.thread_id
    copy = await face.call("thread/fork", ThreadForkParams(thread_id=before, exclude_turns=True))
    await face.open_thread(copy.thread.id)
    face.tell(Notice(say("tui.fork.done", id=before)))
