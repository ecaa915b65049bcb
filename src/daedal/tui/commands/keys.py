"""Which keys are there? What `?` on an empty composer shows."""

from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.panel import pairs

KEYS = (
    ("Enter", "tui.keys.send"),
    ("Alt+Enter  Ctrl+J  \\ Enter", "tui.keys.newline"),
    ("Esc", "tui.keys.stop"),
    ("Esc Esc", "tui.keys.rewind"),
    ("Up  Down", "tui.keys.history"),
    ("Ctrl+R", "tui.keys.search"),
    ("Shift+Tab", "tui.keys.mode"),
    ("Ctrl+O", "tui.keys.transcript"),
    ("Ctrl+G", "tui.keys.editor"),
    ("Ctrl+L", "tui.keys.redraw"),
    ("/", "tui.keys.slash"),
    ("@", "tui.keys.at"),
    ("!", "tui.keys.shell"),
    ("#", "tui.keys.remember"),
    ("Ctrl+Z", "tui.keys.suspend"),
    ("Ctrl+C Ctrl+C  Ctrl+D", "tui.keys.leave"),
)


async def run(face: Face, arguments: str) -> None:
    del arguments
    face.tell(pairs(say("tui.keys.title"), [(keys, say(about)) for keys, about in KEYS]))
