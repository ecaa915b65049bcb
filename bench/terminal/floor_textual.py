"""What is the least that a chat on Textual must do? One input, and one text that scrolls.

python -m bench.terminal.floor_textual     # Enter streams 2,000 pieces in 5 s, Ctrl+Q leaves
"""

import asyncio

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from bench.terminal.story import deltas

COUNT, SECONDS = 2000, 5.0


class Bare(App[None]):
    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static("", id="text", markup=False)
        yield Input()

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self) -> None:
        self.query_one(Input).value = ""
        self.run_worker(self.tell())

    async def tell(self) -> None:
        """Only the paragraph that is still open is updated, at most twenty times a second."""
        loop = asyncio.get_running_loop()
        scroll, open_text = self.query_one(VerticalScroll), self.query_one("#text", Static)
        text, began, shown = "", loop.time(), 0.0
        for number, piece in enumerate(deltas(COUNT)):
            wait = began + SECONDS * number / COUNT - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            text += piece
            if loop.time() - shown < 0.05 and number < COUNT - 1:
                continue
            shown = loop.time()
            head, gap, rest = text.rpartition("\n\n")
            if gap:
                open_text.update(head)
                open_text = Static(rest, markup=False)
                await scroll.mount(open_text)
                text = rest
            open_text.update(text)
            scroll.scroll_end(animate=False)


if __name__ == "__main__":
    Bare().run()
