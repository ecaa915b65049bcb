"""How does text get onto the clipboard? By a program that is there for it, or by asking the terminal.

A terminal does not say whether it did as it was asked (OSC 52), and many refuse long texts. So what was copied is
always in a file as well, and the person is told what was done.
"""

import base64
import os

from daedal.config import home
from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.keeping import write

SEQUENCE_MAX = 100_000
"""So many letters many terminals take, and hardly one takes more."""
FILE = "copied.txt"


async def clip(face: Face, text: str) -> str:
    """What was done, as a sentence."""
    path = os.path.join(home(), FILE)
    os.makedirs(home(), mode=0o700, exist_ok=True)
    write(path, text.encode("utf-8", "replace"), flags=os.O_TRUNC | os.O_NOFOLLOW)
    if program := await face.outside.copy(text):
        return say("tui.copy.by_program", count=len(text), program=program)
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    if len(encoded) > SEQUENCE_MAX:
        return say("tui.copy.too_long", count=len(text), path=path)
    face.signal(f"\x1b]52;c;{encoded}\x07")
    return say("tui.copy.by_terminal", count=len(text), path=path)
