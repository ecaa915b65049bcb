"""How does one leave? The thread stays and can be taken up again."""

from daedal.tui.face import Face


async def run(face: Face, arguments: str) -> None:
    del arguments
    face.leave()
