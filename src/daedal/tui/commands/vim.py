"""Which editing keys hold in the composer: a shell's, or vi's? Switches, and remembers."""

from daedal.protocol.catalogue import say
from daedal.tui.editing.emacs import edit
from daedal.tui.face import Face
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    del arguments
    is_vi = not face.remembered.choices.vi
    face.remembered.choose(vi=is_vi)
    take_up(face, is_vi=is_vi)
    face.tell(Notice(say("tui.vim.on") if is_vi else say("tui.vim.off")))


def take_up(face: Face, *, is_vi: bool) -> None:
    if not is_vi:
        face.composer.keys = edit
        return
    from daedal.tui.editing.vi import Vi

    face.composer.keys = Vi().edit
