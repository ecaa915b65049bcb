"""How does one go on with another session? Picked from a list, or named by how its id begins."""

from daedal.protocol.catalogue import say
from daedal.protocol.threads import Thread, ThreadListParams
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.sessions import ago, pick
from daedal.tui.view import Notice

OFFERED_MAX = 20
ID_SHOWN = 13
ID_LETTERS = frozenset("0123456789abcdef-")


async def run(face: Face, arguments: str) -> None:
    wanted = arguments.strip()
    is_id = len(wanted) >= 4 and set(wanted) <= ID_LETTERS
    chosen = wanted if is_id else await pick(face, wanted)
    if chosen is None:
        return
    if chosen == face.view.thread_id:
        face.tell(Notice(say("tui.resume.here")))
        return
    await face.open_thread(chosen)


async def complete(face: Face, arguments: str) -> list[Offer]:
    import time

    del arguments
    answer = await face.call("thread/list", ThreadListParams(limit=OFFERED_MAX, cwd=face.view.folder or None))
    found: list[Thread] = [thread for thread in answer.data if thread.preview and thread.parent_thread_id is None]
    now = time.time()
    return [
        Offer(thread.id[:ID_SHOWN], f"{ago(now - thread.updated_at)} · {thread.name or thread.preview}")
        for thread in found
    ]
