"""No model can be talked to: what now? Set one up here, name another one, try again, or leave."""

from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.overlays.asking import Asking
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.talk import Talk
from daedal.tui.view import Notice

SET_UP, MODEL, AGAIN, LEAVE = "set-up", "model", "again", "leave"


class Obstacle(Choosing):
    is_urgent = True


async def settled(face: Face, talk: Talk, obstacle: str) -> bool:
    """Whether it is worth another try. False where the person would rather leave."""
    face.tell(Notice(obstacle, "warn"))
    chosen = await face.show(Obstacle(say("tui.obstacle.question"), _options(is_remote=face.outside.is_remote)))
    match chosen:
        case "set-up":
            await face.set_up()
        case "model":
            name = await face.show(Asking(say("tui.obstacle.which")))
            if name and name.strip():
                talk.prefer(name.strip())
        case "again":
            pass
        case _:
            return False
    return True


def _options(*, is_remote: bool) -> list[Option]:
    here = [Option(say("tui.obstacle.set_up"), SET_UP, say("tui.obstacle.about_set_up"), "s")]
    return [
        *([] if is_remote else here),
        Option(say("tui.obstacle.model"), MODEL, letter="m"),
        Option(say("tui.obstacle.again"), AGAIN, letter="r"),
        Option(say("tui.obstacle.leave"), LEAVE, letter="q"),
    ]
