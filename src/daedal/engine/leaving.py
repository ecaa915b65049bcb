"""What does a person hear when a thread is let go while something of it still ran? What was ended, and what goes on."""

from collections.abc import Sequence

from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.events import Warned
from daedal.protocol.seams import LeftTask

DESCRIPTION_MAX = 100
TOLD_MAX = 10


async def tell_left(thread_id: str, world: World, tasks: Sequence[LeftTask]) -> None:
    for task in tasks[:TOLD_MAX]:
        await _warn(thread_id, world, _sentence(task))
    if len(tasks) > TOLD_MAX:
        await _warn(thread_id, world, say("engine.left.more", count=len(tasks) - TOLD_MAX))


async def _warn(thread_id: str, world: World, message: str) -> None:
    await world.faces.emit(thread_id, Warned(message=world.redact(message), thread_id=thread_id))


def _sentence(task: LeftTask) -> str:
    what = " ".join(task.description.split())
    what = what if len(what) <= DESCRIPTION_MAX else f"{what[:DESCRIPTION_MAX]}…"
    if task.is_kept:
        return say("engine.left.kept", id=task.id, what=what)
    return say("engine.left.agent" if task.kind == "local_agent" else "engine.left.command", id=task.id, what=what)
