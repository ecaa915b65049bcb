"""How does the terminal chat look and feel? Drawn from protocol events, through `client`.

The opening is loaded first and alone: it puts the composer on the screen and keeps what is typed. See `face` for what
commands, cards and overlays are given, and `commands/table`, `cards`, `overlay`, `blocks` for how to add one.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used
from daedal.tui.opening import Opening
from daedal.tui.terminal.raw import is_capable, is_terminal

if TYPE_CHECKING:
    from daedal.tui.chat import Chat
    from daedal.tui.plain import PlainChat
    from daedal.tui.wanting import Wanted

__all__ = ["Chat", "Opening", "PlainChat", "Wanted", "is_capable", "is_terminal"]

_FILES = {"Chat": "chat", "PlainChat": "plain", "Wanted": "wanting"}

__getattr__ = loaded_when_used(__name__, _FILES)
