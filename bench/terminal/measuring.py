"""What is measured of a chat? Each figure by one function, from a fresh start in a used home."""

import json
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from bench.scratch import ROOT, Scratch
from bench.terminal.players import OURS, Player
from bench.terminal.seat import LETTERS, Seat
from bench.terminal.story import END
from tests.toolbox.long_session import grow

READY = {OURS: b"claude-"}
DELTAS, SECONDS = 2000, 5.0
IDLE_S = 10.0
STEPS = 200
SOME_STEPS = 50
MANY_TURNS = 1250
FLOOD = 25_000


@dataclass(slots=True)
class Figures:
    """Milliseconds, but for the last three."""

    paint: list[float] = field(default_factory=list)
    typed: list[float] = field(default_factory=list)
    keys_idle: list[float] = field(default_factory=list)
    keys_streaming: list[float] = field(default_factory=list)
    exit: list[float] = field(default_factory=list)
    resume: list[float] = field(default_factory=list)
    resume_long: list[float] = field(default_factory=list)
    keys_flooded: list[float] = field(default_factory=list)
    flood_share: list[float] = field(default_factory=list)
    stream_cpu_s: list[float] = field(default_factory=list)
    pss_mib: list[float] = field(default_factory=list)
    idle_percent: list[float] = field(default_factory=list)


@contextmanager
def model(scratch: Scratch, *, steps: int = 0, deltas: int = DELTAS) -> Generator[int, None, None]:
    script = {
        "steps": steps,
        "tool": "Read",
        "input": {"file_path": str(scratch.notes)},
        "deltas": 3 if steps else deltas,
        "seconds": 0.01 if steps else SECONDS,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.terminal.model", json.dumps(script)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


class Measuring:
    def __init__(self, player: Player, scratch: Scratch) -> None:
        self._player = player
        self._scratch = scratch
        self._home: Path = scratch.home(f"tui-{player.name.split()[0]}")
        self.figures = Figures()

    def _seat(self, port: int, *words: str) -> Seat:
        player = self._player
        return Seat([*player.argv, *words], player.environment(self._home, port), player.cwd)

    def starts(self, count: int) -> None:
        with model(self._scratch) as port:
            for number in range(count + 1):
                with self._seat(port) as seat:
                    paint = (seat.painted() - seat.began) * 1000
                    self._ready(seat)
                    seat.rest(0.2)
                    taken = seat.exit_ms(self._player.leaving)
                with self._seat(port) as seat:
                    typed = (seat.typed() - seat.began) * 1000
                if number:  # The first one warms up.
                    self.figures.paint.append(paint)
                    self.figures.exit.append(taken)
                    self.figures.typed.append(typed)

    def _ready(self, seat: Seat) -> None:
        if self._player.name in READY:
            seat.until(READY[self._player.name])

    def typing(self) -> None:
        with model(self._scratch) as port, self._seat(port) as seat:
            seat.painted()
            self._ready(seat)
            seat.rest(1.0)
            for number in range(60):
                self.figures.keys_idle.append(seat.key_ms(LETTERS[number % len(LETTERS)]))
                seat.rest(0.03)

    def streaming(self) -> None:
        with model(self._scratch) as port, self._seat(port) as seat:
            seat.painted()
            self._ready(seat)
            seat.rest(1.0)
            before = seat.cpu_s()
            seat.press("go\r")
            seat.until(END.strip().encode())
            seat.rest(0.3)
            self.figures.stream_cpu_s.append(seat.cpu_s() - before)
            seat.rest(1.0)
            before = seat.cpu_s()
            seat.rest(IDLE_S)
            self.figures.idle_percent.append((seat.cpu_s() - before) / IDLE_S * 100)

    def typing_while_streaming(self) -> None:
        with model(self._scratch) as port, self._seat(port) as seat:
            seat.painted()
            self._ready(seat)
            seat.rest(1.0)
            seat.press("go\r")
            seat.rest(0.5)
            for number in range(70):
                self.figures.keys_streaming.append(seat.key_ms(LETTERS[number % len(LETTERS)]))
                seat.rest(0.037)

    def remembering(self, count: int) -> None:
        """Only of Daedal: the floors have no sessions."""
        with model(self._scratch, steps=SOME_STEPS) as port, self._seat(port, "--no-sandbox") as seat:
            self._ready(seat)
            seat.press("go\r")
            seat.until(END.strip().encode())
            seat.rest(0.5)
            self.figures.pss_mib.append(seat.pss_mib())
            seat.exit_ms(self._player.leaving)
        with model(self._scratch, steps=STEPS) as port, self._seat(port, "--no-sandbox") as seat:
            self._ready(seat)
            seat.press("go\r")
            seat.until(END.strip().encode())
            seat.exit_ms(self._player.leaving)
        for _ in range(count):
            with model(self._scratch) as port, self._seat(port, "--continue") as seat:
                shown = seat.until(END.strip().encode())
                self.figures.resume.append((shown - seat.began) * 1000)

    def remembering_much(self, count: int) -> None:
        """A session of more than ten thousand items: its last turn is put on the record again and again."""
        with model(self._scratch, steps=7) as port, self._seat(port, "--no-sandbox") as seat:
            self._ready(seat)
            seat.press("go\r")
            seat.until(END.strip().encode())
            seat.exit_ms(self._player.leaving)
        database = self._home / ".daedal" / "daedal.db"
        with sqlite3.connect(database) as connection:
            [session] = connection.execute("SELECT session_id FROM sessions ORDER BY rowid DESC LIMIT 1").fetchone()
        connection.close()
        grow(database, session, MANY_TURNS)
        last = f"(turn {MANY_TURNS - 1})".encode()
        for _ in range(count):
            with model(self._scratch) as port, self._seat(port, "--continue") as seat:
                self.figures.resume_long.append((seat.until(last) - seat.began) * 1000)

    def flooded(self) -> None:
        """A model that says far more than anybody can read."""
        with model(self._scratch, deltas=FLOOD) as port, self._seat(port) as seat:
            seat.painted()
            self._ready(seat)
            seat.rest(1.0)
            before, began = seat.cpu_s(), monotonic()
            seat.press("go\r")
            seat.rest(0.5)
            for number in range(60):
                self.figures.keys_flooded.append(seat.key_ms(LETTERS[number % len(LETTERS)]))
                seat.rest(0.037)
            seat.until(END.strip().encode())
            self.figures.flood_share.append((seat.cpu_s() - before) / (monotonic() - began))


def median(values: list[float]) -> float | None:
    return statistics.median(values) if values else None


def p95(values: list[float]) -> float | None:
    return sorted(values)[min(int(len(values) * 0.95), len(values) - 1)] if values else None
