"""How is the last turn taken back? What was said and the files that it changed; what stays done is named first."""

from daedal.protocol.catalogue import say
from daedal.tui.commands.rewind import points_of
from daedal.tui.face import Face
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.rewinding import Parts, effect_rows, foresee, go_back
from daedal.tui.terminal.visible import flat
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    del arguments
    point = next((point for point in reversed(await points_of(face)) if point.kind != "rewind"), None)
    if point is None:
        face.tell(Notice(say("tui.undo.nothing"), "warn"))
        return
    foreseen = await foresee(face, point)
    if point.effects:
        options = [Option(say("tui.undo.yes"), value=True, letter="y"), Option(say("tui.undo.no"), letter="n")]
        question = say("tui.undo.question", text=flat(point.text, 60))
        if not await face.show(Choosing(question, options, above=effect_rows(point.effects))):
            return
    await go_back(face, point, Parts(conversation=True, files=True), foreseen)
