"""What is the least that a chat on our own toolkit must do? A composer, and text that streams above it.

python -m bench.terminal.floor_own     # Enter streams 2,000 pieces in 5 s, Ctrl+D leaves
"""

import asyncio
import os
import sys

from bench.terminal.story import deltas
from daedal.tui.editing.history import History
from daedal.tui.live.composer import Composer
from daedal.tui.terminal.keys import Keys
from daedal.tui.terminal.painting import Painter
from daedal.tui.terminal.raw import Terminal
from daedal.tui.terminal.styles import Palette, depth_of
from daedal.tui.terminal.widths import wrap
from daedal.tui.themes import theme

COUNT, SECONDS = 2000, 5.0


class Bare:
    def __init__(self) -> None:
        self.terminal = Terminal()
        self.early = self.terminal.enter()
        self.painter = Painter(self.terminal)
        self.palette = Palette(theme("dark"), depth_of())
        self.composer = Composer(History(os.devnull))
        self.keys = Keys()
        self.text = ""
        self.over = asyncio.Event()
        self.is_due = False

    def draw(self) -> None:
        self.is_due = False
        columns, _ = self.terminal.size()
        *done, self.text = self.text.split("\n")
        open_rows = wrap([("", self.text)], columns)
        rows, (row, column) = self.composer.rows(columns)
        area = [*open_rows, *rows]
        self.painter.draw(
            [self.palette.painted(row) for row in area],
            [0] * len(area),
            (len(open_rows) + row, column),
            [(line, 0) for line in done],
        )

    def soon(self, delay: float) -> None:
        if not self.is_due:
            self.is_due = True
            asyncio.get_running_loop().call_later(delay, self.draw)

    def readable(self) -> None:
        self.press(self.terminal.read())

    def press(self, raw: bytes) -> None:
        for key in self.keys.feed(raw):
            if key.name == "ctrl+d":
                self.over.set()
            elif key.name == "enter":
                self.composer.text = ""
                self.telling = asyncio.create_task(self.tell())
            else:
                self.composer.key(key)
        self.draw()

    async def tell(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number, text in enumerate(deltas(COUNT)):
            wait = began + SECONDS * number / COUNT - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            self.text += text
            self.soon(0.05)

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_reader(0, self.readable)
        self.press(self.early)
        await self.over.wait()
        self.painter.erase()
        self.terminal.leave()


async def main() -> None:
    await Bare().run()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
