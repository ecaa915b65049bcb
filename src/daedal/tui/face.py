"""What may commands, cards and overlays ask of the chat? No more than this, so that they can be written alone."""

from collections.abc import Coroutine
from typing import Any, Protocol

from daedal.tui.live.composer import Composer
from daedal.tui.outside import Outside
from daedal.tui.overlay import Overlay
from daedal.tui.remembered import Remembered
from daedal.tui.view import View


class Face(Protocol):
    @property
    def view(self) -> View:
        """What is known; read it."""
        ...

    @property
    def composer(self) -> Composer: ...

    @property
    def outside(self) -> Outside:
        """What only the program around the chat can do."""
        ...

    @property
    def remembered(self) -> Remembered:
        """Choices that outlast the chat: theme, vi."""
        ...

    async def call(self, method: str, params: Any) -> Any:
        """Asks the server. Raises CallFailed, whose sentence is for the person, or ConnectionError."""
        ...

    def tell(self, body: Any) -> None:
        """Prints a block: a Notice, a Panel, or whatever `blocks` knows."""
        ...

    async def show(self, overlay: Overlay) -> Any:
        """Puts it up and gives its result. Several wait for each other."""
        ...

    def send(self, text: str) -> None:
        """As if the person had typed it and pressed Enter."""
        ...

    async def run_command(self, name: str, arguments: str = "") -> None:
        """A slash command, by its name without the slash."""
        ...

    async def open_thread(self, thread_id: str | None) -> None:
        """Another thread: a stored one, or a fresh one of this folder."""
        ...

    async def edit(self, text: str) -> str | None:
        """In the person's own editor; None where there is none, and they are told."""
        ...

    async def set_up(self) -> None:
        """The program's own way to connect a model, which has the terminal meanwhile."""
        ...

    def work(self, task: Coroutine[Any, Any, None]) -> None:
        """Goes on with it beside everything else; what goes wrong is told to the person."""
        ...

    def wear(self, theme: str) -> None: ...

    def clear_screen(self) -> None: ...

    def look_around(self) -> None:
        """Files have changed, so the footer may tell something else."""
        ...

    def signal(self, sequence: str) -> None:
        """For the terminal itself: what is written is obeyed, and nothing of it seen."""
        ...

    def redraw(self) -> None:
        """Soon, since something changed."""
        ...

    def leave(self) -> None: ...
