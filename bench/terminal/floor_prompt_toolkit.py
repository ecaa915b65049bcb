"""What is the least that a chat on prompt_toolkit must do? One input, and text that is printed above it.

python -m bench.terminal.floor_prompt_toolkit     # Enter streams 2,000 pieces in 5 s, Ctrl+D leaves
"""

import asyncio

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window

from bench.terminal.story import deltas

COUNT, SECONDS = 2000, 5.0


class Bare:
    def __init__(self) -> None:
        self.text = ""
        self.buffer = Buffer()
        keys = KeyBindings()
        keys.add("enter")(self.enter)
        keys.add("c-d")(lambda event: event.app.exit())
        rows = [
            Window(FormattedTextControl(lambda: self.text), dont_extend_height=True, wrap_lines=True),
            Window(BufferControl(self.buffer), height=1),
        ]
        self.app: Application[None] = Application(Layout(HSplit(rows), rows[1]), key_bindings=keys)

    def enter(self, event: KeyPressEvent) -> None:
        self.buffer.reset()
        event.app.create_background_task(self.tell())

    async def tell(self) -> None:
        loop = asyncio.get_running_loop()
        began, shown = loop.time(), 0.0
        for number, piece in enumerate(deltas(COUNT)):
            wait = began + SECONDS * number / COUNT - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            self.text += piece
            if loop.time() - shown < 0.05 and number < COUNT - 1:
                continue
            shown = loop.time()
            head, gap, rest = self.text.rpartition("\n\n")
            if gap:
                self.text = rest
                await run_in_terminal(lambda done=head: print(done, flush=True))
            self.app.invalidate()


if __name__ == "__main__":
    Bare().app.run()
