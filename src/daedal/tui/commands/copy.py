"""How does an answer get onto the clipboard? The last one, or one of the blocks of code in it."""

import re

from daedal.protocol.catalogue import say
from daedal.protocol.items import AgentMessage
from daedal.tui.clipping import clip
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.view import Notice

FENCED = re.compile(r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)^(?P=fence)[`~]*\s*$", re.DOTALL | re.MULTILINE)


async def run(face: Face, arguments: str) -> None:
    answer, wanted = _answer(face), arguments.strip()
    if answer is None:
        face.tell(Notice(say("tui.copy.nothing"), "warn"))
        return
    if not wanted:
        face.tell(Notice(await clip(face, answer)))
        return
    blocks = _blocks(answer)
    if not wanted.isdecimal() or not 0 < int(wanted) <= len(blocks):
        face.tell(Notice(say("tui.copy.no_block", wanted=wanted, count=len(blocks)), "warn"))
        return
    face.tell(Notice(await clip(face, blocks[int(wanted) - 1])))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del arguments
    return [
        Offer(str(number), block.partition("\n")[0]) for number, block in enumerate(_blocks(_answer(face) or ""), 1)
    ]


def _answer(face: Face) -> str | None:
    bodies = (entry.body for entry in reversed(face.view.entries) if not entry.is_aside)
    return next((body.text for body in bodies if isinstance(body, AgentMessage) and body.text.strip()), None)


def _blocks(answer: str) -> list[str]:
    return [match["code"] for match in FENCED.finditer(answer)]
