"""How does a test look at a program's terminal? A real pseudo-terminal, and what is on it as a person would see it.

    with Screen([...], env=..., cwd=...) as screen:
        screen.wait_for("Ask Codex")
        screen.type("hello\r")

Nothing here sleeps: `wait_for` returns with the output that makes the text appear.
"""

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyte

DEADLINE_S = 60.0


class Screen:
    def __init__(
        self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path, columns: int = 100, rows: int = 40
    ) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._near, far = os.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=far, stdout=far, stderr=far, cwd=cwd, env=dict(env), start_new_session=True
        )
        os.close(far)

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._near)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    def type(self, text: str) -> None:
        os.write(self._near, text.encode())

    def wait_for(self, wanted: str | Callable[[str], bool], *, deadline_s: float = DEADLINE_S) -> str:
        """The screen as soon as it shows the text. Fails with the screen as it is otherwise."""
        is_there = wanted if callable(wanted) else lambda text: wanted in text
        end = time.monotonic() + deadline_s
        while not is_there(self.text):
            left = end - time.monotonic()
            assert left > 0, f"never seen: {wanted}\n{self.text}"
            self._take(left)
        return self.text

    def _take(self, timeout_s: float) -> None:
        ready, _, _ = select.select([self._near], [], [], timeout_s)
        if not ready:
            return
        try:
            data = os.read(self._near, 65_536)
        except OSError:
            data = b""
        assert data, f"the program has ended with {self.process.wait()}\n{self.text}"
        self._stream.feed(data)
        if b"\x1b[6n" in data:  # Where the cursor is: whoever asks waits for the answer before it paints.
            os.write(self._near, f"\x1b[{self._screen.cursor.y + 1};{self._screen.cursor.x + 1}R".encode())
