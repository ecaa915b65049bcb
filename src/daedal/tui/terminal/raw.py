"""How does a terminal hand over every key, and how does it get back to what it was?

Loaded before everything else, so nothing here imports more than it must.
"""

import fcntl
import os
import select
import struct
import termios
from collections.abc import Callable
from typing import Any

IFLAG, LFLAG, CC = 0, 3, 6
PENDING_MAX = 1 << 20
PASTE_ON, PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
SIZE_IF_UNKNOWN = (80, 24)
COLUMNS_MIN, ROWS_MIN = 20, 5
LAST_WRITE_S = 0.5
"""So long a terminal may take nothing before we leave without its having the last of it."""


class Terminal:
    """The terminal that the person sits at. `enter` and `leave` may be called again and again."""

    def __init__(self, source: int = 0, target: int = 1) -> None:
        self.source = source
        self.target = target
        self.output = _own_way_to(target)
        self.on_blocked: Callable[[], None] = lambda: None
        """Told when the terminal takes nothing more for now; `flush` when it does again."""
        self._unwritten = b""
        self._before: list[Any] | None = None
        self.is_gone = False
        """Nobody is there any more: the window was closed."""

    def enter(self) -> bytes:
        """Raw mode. What was typed before it began is given back, as it would have come in raw mode."""
        try:
            was: list[Any] = termios.tcgetattr(self.source)
            mode: list[Any] = [*was[:CC], list(was[CC])]
            mode[LFLAG] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
            mode[IFLAG] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
            mode[CC][termios.VMIN], mode[CC][termios.VTIME] = 1, 0
            # Without flushing: whatever is waiting was typed for us.
            termios.tcsetattr(self.source, termios.TCSANOW, mode)
            early = self._waiting()
        except (termios.error, OSError):
            self.is_gone = True
            return b""
        self._before = _usable(was)
        self.write(PASTE_ON)
        # Before raw mode the terminal turned every Enter into a line feed, which is another key now.
        return early.replace(b"\n", b"\r")

    def _waiting(self) -> bytes:
        count = struct.unpack("i", fcntl.ioctl(self.source, termios.FIONREAD, b"\0\0\0\0"))[0]
        return os.read(self.source, min(count, PENDING_MAX)) if count else b""

    def leave(self) -> None:
        if self._before is None:
            return
        before, self._before = self._before, None
        self.write(f"{PASTE_OFF}\x1b[?7h\x1b[?25h\x1b[0m")
        self._finish()
        try:
            # Without waiting for the terminal: one that takes nothing any more would keep us for ever.
            termios.tcsetattr(self.source, termios.TCSANOW, before)
        except (termios.error, OSError):
            self.is_gone = True

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self.target)
        except OSError:
            columns, rows = 0, 0
        if not columns or not rows:
            columns, rows = SIZE_IF_UNKNOWN
        return max(columns, COLUMNS_MIN), max(rows, ROWS_MIN)

    @property
    def is_blocked(self) -> bool:
        """A slow line, or Ctrl+S, or a window that nobody reads: it must not keep the engine waiting."""
        return bool(self._unwritten)

    def write(self, text: str) -> None:
        """All of it, in time. Where nobody is there any more, nothing happens."""
        was_blocked = self.is_blocked
        self._unwritten += text.encode("utf-8", "replace")
        self.flush()
        if self.is_blocked and not was_blocked:
            self.on_blocked()

    def flush(self) -> None:
        """As much as the terminal takes now."""
        try:
            while self._unwritten and not self.is_gone:
                self._unwritten = self._unwritten[os.write(self.output, self._unwritten) :]
        except BlockingIOError:
            return
        except OSError:
            self.is_gone = True
        if self.is_gone:
            self._unwritten = b""

    def _finish(self) -> None:
        """The last of it, unless nobody takes it any more."""
        while self.is_blocked and select.select([], [self.output], [], LAST_WRITE_S)[1]:
            self.flush()
        self._unwritten = b""

    def read(self) -> bytes:
        """What there is; nothing where the terminal is gone."""
        try:
            raw = os.read(self.source, 65536)
        except (BlockingIOError, InterruptedError):
            return b""
        except OSError:
            raw = b""
        if not raw:
            self.is_gone = True
        return raw


def _usable(mode: list[Any]) -> list[Any]:
    """How the terminal is left. Where a program before us was killed in raw mode, as a shell would want it."""
    if not mode[LFLAG] & termios.ICANON:
        mode[LFLAG] |= termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG
        mode[IFLAG] |= termios.ICRNL | termios.IXON
        mode[CC][termios.VMIN], mode[CC][termios.VTIME] = 1, 0
    return mode


def _own_way_to(target: int) -> int:
    """The terminal once more, so that writes to it need not wait. What others have of it stays as it is."""
    try:
        return os.open(os.ttyname(target), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return target


def is_terminal() -> bool:
    """Whether a person sits at both ends."""
    return os.isatty(0) and os.isatty(1)


def is_capable() -> bool:
    """Whether the terminal can move its cursor. (Editors' shells and build logs cannot.)"""
    return os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
