"""What happens when one contestant meets one model? Both are started, watched and ended."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import monotonic_ns

from bench.contestants import Call, Contestant, base_environment
from bench.scratch import NOTES, ROOT, Scratch

MODEL_S = 30
TAIL_CHARACTERS = 600


class Failed(Exception):
    """A contestant did not do what it was asked to; the message says what it printed."""


@dataclass(frozen=True, slots=True)
class Note:
    """One request as the model saw it."""

    first_ns: int
    last_ns: int
    answered_ns: int
    body_bytes: int


@dataclass(frozen=True, slots=True)
class Run:
    spawned_ns: int
    ended_ns: int
    seen: list[Note]

    @property
    def start_ms(self) -> float:
        return (self.seen[0].first_ns - self.spawned_ns) / 1e6

    @property
    def rest_ms(self) -> float:
        """From the first request to the exit."""
        return (self.ended_ns - self.seen[0].first_ns) / 1e6

    @property
    def steps_ms(self) -> list[float]:
        """Per tool step: from the end of a reply to the first byte of the request that answers it."""
        return [(then.first_ns - now.answered_ns) / 1e6 for now, then in pairwise(self.seen)]

    @property
    def sent_steps_ms(self) -> list[float]:
        """The same up to the last byte of that request."""
        return [(then.last_ns - now.answered_ns) / 1e6 for now, then in pairwise(self.seen)]


class Model:
    """The model's process, and how its notes are fetched."""

    def __init__(self, call: Call, *, steps: int, deltas: int) -> None:
        script = {"steps": steps, "tool": call.tool, "input": call.input, "deltas": deltas}
        command = [sys.executable, "-m", "bench.model", json.dumps(script)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    def notes(self) -> list[Note]:
        told, _ = self._process.communicate(timeout=MODEL_S)
        return [Note(**note) for note in json.loads(told)["seen"]]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def playing(call: Call, *, steps: int, deltas: int) -> Generator[Model, None, None]:
    model = Model(call, steps=steps, deltas=deltas)
    try:
        yield model
    finally:
        model.close()


def run(
    contestant: Contestant,
    scratch: Scratch,
    call: Call,
    *,
    steps: int = 0,
    deltas: int = 1,
    home: Path | None = None,
    deadline_s: float = 60,
    watch: Callable[[int], None] | None = None,
) -> Run:
    """Lets a contestant make `steps` calls and then read an answer. `watch` is given its process id meanwhile."""
    home = home or scratch.home(contestant.name)
    with playing(call, steps=steps, deltas=deltas) as model:
        environment = base_environment(home) | contestant.environment(model.port, home)
        printed = _printed_to(scratch, contestant)
        code, spawned_ns, ended_ns = _to_its_end(
            contestant.argv(model.port), environment, scratch.project, printed, deadline_s, watch
        )
        seen = model.notes()
    complaint = _complaint(code, seen, steps, deadline_s)
    if complaint:
        raise Failed(f"{contestant.name} {complaint}\n{_tail(printed_by(scratch, contestant))}".rstrip())
    return Run(spawned_ns, ended_ns, seen)


def _to_its_end(
    argv: list[str],
    environment: dict[str, str],
    project: Path,
    printed: Path,
    deadline_s: float,
    watch: Callable[[int], None] | None,
) -> tuple[int, int, int]:
    # A file takes output without anybody having to wake up and read it, which would cost the contestant time.
    with printed.open("wb") as output:
        spawned_ns = monotonic_ns()
        process = subprocess.Popen(
            argv,
            env=environment,
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    alarm = threading.Timer(deadline_s, _end_group, (process.pid,))
    alarm.start()
    try:
        if watch is not None:
            watch(process.pid)
        # Without a timeout this blocks in the kernel; with one, Python polls and would blur the time of the end.
        code = process.wait()
        return code, spawned_ns, monotonic_ns()
    finally:
        alarm.cancel()
        _end_group(process.pid)
        process.wait()


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _complaint(code: int, seen: list[Note], steps: int, deadline_s: float) -> str | None:
    if code == -signal.SIGKILL:
        return f"was still running after {deadline_s:.0f} s, after {len(seen)} of {steps + 1} requests"
    if code != 0:
        return f"ended with {code} after {len(seen)} of {steps + 1} requests"
    if len(seen) != steps + 1:
        return f"made {len(seen)} requests instead of {steps + 1}"
    # A refused or failed call would be answered quickly, and make a good figure for no work.
    if steps and seen[1].body_bytes - seen[0].body_bytes < len(NOTES):
        return "did not send the file's content back, so the call cannot have worked"
    return None


def _printed_to(scratch: Scratch, contestant: Contestant) -> Path:
    return scratch.folder / f"printed-{contestant.name}"


def printed_by(scratch: Scratch, contestant: Contestant) -> str:
    """What its latest run printed, on either stream."""
    text = _printed_to(scratch, contestant).read_text(errors="replace").strip()
    # The report is kept; where this machine has its folders is nobody's business.
    return text.replace(str(scratch.folder), "SCRATCH").replace(str(ROOT), "PROJECT")


def _tail(text: str) -> str:
    return f"it printed: {'…' if len(text) > TAIL_CHARACTERS else ''}{text[-TAIL_CHARACTERS:]}" if text else ""
