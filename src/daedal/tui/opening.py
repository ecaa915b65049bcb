"""What is on the screen before anything is loaded? The composer, so that one can begin to type.

Nothing here needs the engine, the protocol or an event loop. The chat goes on with the same painter, so what it draws
later takes the place of this.
"""

import os

from daedal import __version__
from daedal.protocol.catalogue import say
from daedal.tui.terminal.painting import Painter
from daedal.tui.terminal.raw import Terminal
from daedal.tui.terminal.styles import Palette, depth_of
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut_row, row_width
from daedal.tui.themes import theme


class Opening:
    """The terminal in raw mode, with the first frame on it and what was typed so far."""

    def __init__(self, theme_name: str = "dark") -> None:
        self.terminal = Terminal()
        self.early = self.terminal.enter()
        self.painter = Painter(self.terminal)
        palette = Palette(theme(theme_name), depth_of())
        columns, _ = self.terminal.size()
        above: list[Row] = [
            [("brand", "Daedal"), ("quiet", f" {__version__} · {flat(_folder())}")],
            [("quiet", say("tui.welcome"))],
        ]
        rows: list[Row] = [[], [("accent", "› "), ("quiet", say("tui.placeholder"))], [("quiet", say("tui.loading"))]]
        rows = [cut_row(row, columns) for row in rows]
        self.painter.draw(
            [palette.painted(row) for row in rows],
            [row_width(row) for row in rows],
            (1, 2),
            [(palette.painted(row), row_width(row)) for row in (cut_row(row, columns) for row in above)],
        )


def _folder() -> str:
    folder, home = os.getcwd(), os.path.expanduser("~")
    return "~" + folder[len(home) :] if folder == home or folder.startswith(home + os.sep) else folder
