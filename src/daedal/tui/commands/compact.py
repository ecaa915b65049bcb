"""How is a long session made short? What was said is folded into a summary, which may mind one thing above all."""

from daedal.protocol.catalogue import say
from daedal.protocol.events import TurnCompleted
from daedal.protocol.folding import ContextReadParams, ThreadCompactParams
from daedal.tui.face import Face
from daedal.tui.hearing import heard
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    thread_id = face.view.thread_id
    before = await face.call("thread/context/read", ContextReadParams(thread_id=thread_id))
    over = heard(face.view, lambda event: isinstance(event, TurnCompleted) and event.thread_id == thread_id)
    try:
        await face.call("thread/compact/start", ThreadCompactParams(thread_id=thread_id, focus=arguments.strip()))
        ended: TurnCompleted = await over
    finally:
        over.cancel()
    if ended.turn.error is not None:
        return  # The turn says so itself.
    after = await face.call("thread/context/read", ContextReadParams(thread_id=thread_id))
    if after.folds > before.folds:
        counts = {"before": f"{before.used_tokens:,}", "after": f"{after.used_tokens:,}"}
        face.tell(Notice(say("tui.compact.done", **counts), "good"))
