"""What happened in full? The whole screen, with every call open."""

from daedal.tui.face import Face
from daedal.tui.overlays.viewer import Viewer


async def run(face: Face, arguments: str) -> None:
    del arguments
    await face.show(Viewer(face))
