"""How does one sit at a program's terminal with a stopwatch? Keys go in, and what comes out is looked for."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path
from time import monotonic
from types import TracebackType

COLUMNS, ROWS = 100, 30
ESCAPES = re.compile(rb"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|[\]P^_].*?(\x07|\x1b\\)|[()][A-Z0-9]|[=>78])", re.DOTALL)
LETTERS = "абвгдежзиклмнопрстуфхцчшщэюя"
"""Letters that no program writes by itself."""
DEADLINE_S = 60.0
TYPING_S = 0.02
"""Between two letters of somebody in a hurry."""
TICKS = os.sysconf("SC_CLK_TCK")


class Gone(Exception):
    """The program ended, or never showed what was waited for."""


class Seat:
    def __init__(self, argv: list[str], env: dict[str, str], cwd: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        mode = termios.tcgetattr(slave)
        mode[3] &= ~termios.ECHO  # What the kernel echoes before the program is there counts for nobody.
        termios.tcsetattr(slave, termios.TCSANOW, mode)
        self.began = monotonic()
        self.process = subprocess.Popen(
            argv, env=env, cwd=cwd, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        self.written = 0

    def __enter__(self) -> "Seat":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._master)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def read(self, timeout_s: float) -> bytes:
        if not select.select([self._master], [], [], max(timeout_s, 0))[0]:
            return b""
        try:
            raw = os.read(self._master, 1 << 16)
        except OSError:
            raw = b""
        if not raw:
            raise Gone("the program has ended")
        self.written += len(raw)
        self._answer(raw)
        return raw

    def _answer(self, raw: bytes) -> None:
        """What terminals are asked, and answer: where the cursor is, and what they are."""
        if b"\x1b[6n" in raw:
            self.press("\x1b[1;1R")
        if b"\x1b[c" in raw or b"\x1b[0c" in raw:
            self.press("\x1b[?62c")

    def until(self, shown: bytes, deadline_s: float = DEADLINE_S) -> float:
        """When it was shown."""
        seen = b""
        end = monotonic() + deadline_s
        while shown not in seen:
            if monotonic() > end:
                raise Gone(f"never shown: {shown!r}")
            seen = ESCAPES.sub(b"", seen + self.read(end - monotonic()))[-20_000:]
        return monotonic()

    def typed(self) -> float:
        """When a letter could be seen of somebody who types from the start on. (Some programs drop the first ones.)"""
        seen, end = b"", monotonic() + DEADLINE_S
        while LETTERS[0].encode() not in seen:
            if monotonic() > end:
                raise Gone("no typed letter was ever shown")
            self.press(LETTERS[0])
            seen += self.read(TYPING_S)
        return monotonic()

    def painted(self) -> float:
        """When anything could be seen."""
        seen = b""
        while not re.search(rb"[^\s]", ESCAPES.sub(b"", seen)):
            seen += self.read(DEADLINE_S)
        return monotonic()

    def rest(self, seconds: float) -> None:
        """Takes in what comes for so long."""
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            self.read(left)

    def key_ms(self, letter: str) -> float:
        began = monotonic()
        self.press(letter)
        return (self.until(letter.encode()) - began) * 1000

    def cpu_s(self) -> float:
        """Of the program and its children."""
        total = 0.0
        for pid in family(self.process.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            total += (int(fields[11]) + int(fields[12])) / TICKS
        return total

    def pss_mib(self) -> float:
        total = 0
        for pid in family(self.process.pid):
            try:
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            total += int(next(line for line in rollup.splitlines() if line.startswith("Pss:")).split()[1])
        return total / 1024

    def exit_ms(self, keys: str) -> float:
        began = monotonic()
        self.press(keys)
        try:
            while True:
                self.read(DEADLINE_S)
        except Gone:
            self.process.wait(DEADLINE_S)
        return (monotonic() - began) * 1000


def family(pid: int) -> list[int]:
    """A process and its children, however deep."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*"):
            try:
                found += [int(child) for child in (task / "children").read_text().split()]
            except OSError:
                continue
    return found
