"""How does a test sit at a terminal? The real program on a pseudo-terminal, its screen kept by an emulator.

A test presses keys and waits until the screen shows something; it never waits for time to pass. What the screen showed
before the keys were pressed tells nothing about them: whoever waits for that has made a mistake, and is told.
"""

import copy
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import pyte

DEADLINE_S = 60
DIM = 2
BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"
"""Around each frame: what lies between them is seen at once."""
NAMED = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "backspace": "\x7f",
    "alt+enter": "\x1b\r",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    **{f"ctrl+{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}


class Emulator(pyte.HistoryScreen):
    """With a second screen for programs that want one to themselves."""

    _aside: object = None

    def select_graphic_rendition(self, *attributes: int, **options: object) -> None:
        """Dim is a grey here: the emulator knows no dim, and pictures shall show it."""
        told = [part for number in attributes for part in ((38, 5, 245) if number == DIM else (number,))]
        # The 2 of a colour in full is no attribute.
        super().select_graphic_rendition(*(attributes if 38 in attributes or 48 in attributes else told), **options)

    def set_mode(self, *modes: int, **options: object) -> None:
        super().set_mode(*modes, **options)
        if 1049 in modes and options.get("private"):
            self._aside = (copy.deepcopy(self.buffer), self.cursor.x, self.cursor.y)

    def reset_mode(self, *modes: int, **options: object) -> None:
        super().reset_mode(*modes, **options)
        if 1049 in modes and options.get("private") and self._aside is not None:
            self.buffer, self.cursor.x, self.cursor.y = self._aside
            self._aside = None
            self.dirty.update(range(self.lines))


class Screen:
    """A terminal with a program in it."""

    def __init__(
        self, argv: list[str], *, env: dict[str, str], cwd: Path, columns: int = 100, rows: int = 30, typed: str = ""
    ) -> None:
        self._history = Emulator(columns, rows, history=20_000, ratio=0.5)
        self._stream = pyte.ByteStream(self._history)
        self._master, slave = pty.openpty()
        self.raw = bytearray()
        """Everything that the program has written."""
        self._size(columns, rows)
        if typed:
            os.write(self._master, typed.encode())
        self.process = subprocess.Popen(
            argv,
            env=env,
            cwd=cwd,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_own,  # noqa: PLW1509 - one system call
        )
        os.close(slave)
        self.is_over = False
        self._is_untold = False
        """Keys were pressed, and nothing has been waited for since."""

    def __enter__(self) -> "Screen":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.close()

    def close(self) -> None:
        """The window is closed: the program is told, and nobody is there any more."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        self._history.resize(rows, columns)
        self._size(columns, rows)
        self._is_untold = True

    def press(self, *keys: str) -> None:
        for key in keys:
            self.type(NAMED.get(key, key))

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())
        self._is_untold = True

    def paste(self, text: str) -> None:
        self.type(f"\x1b[200~{text}\x1b[201~")

    @property
    def lines(self) -> list[str]:
        """What is on the screen, without what was scrolled off."""
        return [line.rstrip() for line in self._history.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).rstrip()

    @property
    def scrollback(self) -> str:
        """The whole, as one would read it by scrolling up."""
        above = [
            "".join(line[column].data for column in range(self._history.columns)).rstrip()
            for line in self._history.history.top
        ]
        return "\n".join([*above, self.text])

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column."""
        return self._history.cursor.y, self._history.cursor.x

    @property
    def display(self) -> pyte.HistoryScreen:
        return self._history

    def read(self, timeout_s: float) -> bool:
        """Takes in what comes next; False where nothing did."""
        if self.is_over or not select.select([self._master], [], [], timeout_s)[0]:
            return False
        try:
            raw = os.read(self._master, 65536)
        except OSError:
            raw = b""
        if not raw:
            self.is_over = True
            return False
        self.raw += raw
        self._stream.feed(raw)
        return True

    @property
    def is_torn(self) -> bool:
        """A part of a frame was read, and the rest has not come yet."""
        return not self.is_over and self.raw.rfind(BEGIN) > self.raw.rfind(END)

    def until(self, shown: str | Callable[["Screen"], bool], *, deadline_s: float = DEADLINE_S) -> "Screen":
        """Waits until the screen shows the text, or fits."""
        fits = (lambda screen: shown in screen.text) if isinstance(shown, str) else shown
        if self._is_untold and fits(self):
            raise AssertionError(f"the screen was so before the keys were pressed: {shown!r}\n{self.text}")
        self._is_untold = False
        end = time.monotonic() + deadline_s
        while self.is_torn or not fits(self):
            left = end - time.monotonic()
            if left <= 0 or (not self.read(min(left, 5)) and self.is_over):
                raise AssertionError(
                    f"never shown: {shown!r}; the screen is:\n{self.text}\n---\n{bytes(self.raw[-2000:])!r}"
                )
        return self

    def gone(self, shown: str) -> "Screen":
        return self.until(lambda screen: shown not in screen.text)

    def ended(self, *, deadline_s: float = DEADLINE_S) -> int:
        """Waits for the program to end, and gives its code."""
        end = time.monotonic() + deadline_s
        while not self.is_over and time.monotonic() < end:
            self.read(min(1, max(end - time.monotonic(), 0)))
        return self.process.wait(timeout=deadline_s)


def _own() -> None:
    """The terminal controls the program, so that closing it is told by SIGHUP, as in life."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
