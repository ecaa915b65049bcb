"""What can one server take? Many threads at once, each with turn after turn, driven over its standard streams.

Every event is checked off: its number must follow the one before it in its thread, and its age when it arrives is
kept. The model's replies are ready-made, so that what is measured is the server.
"""

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Any

from bench.contestants import Contestant, base_environment
from bench.measures.memory import family, pss_kib
from bench.runs import Failed
from bench.scratch import ROOT, Scratch

END_S = 10
DEADLINE_S = 900.0
DELTAS = 4
HELLO = {"clientInfo": {"name": "bench", "version": "1"}}


@dataclass(slots=True)
class Load:
    """What came of it."""

    turns: int = 0
    seconds: float = 0.0
    idle_kib: float = 0.0
    """Per thread that has done all its turns and waits."""
    ages_ms: list[float] = field(default_factory=list)
    lost: int = 0
    """Events whose number did not follow, or turns that did not complete."""


def server_argv(who: Contestant, port: int) -> list[str]:
    program, *words = who.argv(port)
    flags = [pair for at, word in enumerate(words) if word == "-c" for pair in words[at : at + 2]]
    return [program, *flags, "app-server"]


def load(who: Contestant, scratch: Scratch, *, threads: int, turns: int, per_second: float | None = None) -> Load:
    """Runs `turns` turns in each of `threads` threads: as fast as it goes, or so many turns a second in all."""
    script = json.dumps({"steps": 0, "tool": "none", "input": {}, "deltas": DELTAS})
    model = subprocess.Popen(
        [sys.executable, "-m", "bench.model", script],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert model.stdout is not None
    port = int(model.stdout.readline())
    home = scratch.fresh_home(f"{who.name}-server")
    server = subprocess.Popen(
        server_argv(who, port),
        cwd=scratch.project,
        env=base_environment(home) | who.environment(port, home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    overdue = threading.Timer(DEADLINE_S, server.kill)
    overdue.start()
    try:
        return Driver(server, threads=threads, turns=turns, per_second=per_second).drive()
    finally:
        overdue.cancel()
        for process in (server, model):
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """By the end of its input: a killed launcher leaves its program behind, whose time would count as others'."""
    assert process.stdin is not None
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        process.stdin.close()
        process.wait(END_S)
    process.kill()
    # Closes its pipes too; what is still in them is of no interest.
    with contextlib.suppress(OSError), process:
        pass


class Driver:
    def __init__(self, server: subprocess.Popen[bytes], *, threads: int, turns: int, per_second: float | None) -> None:
        self._server = server
        self._threads = threads
        self._turns = turns
        self._per_second = per_second
        self._last_id = 0
        self._numbers: dict[str, int] = {}
        self._left: dict[str, int] = {}
        self._writing = threading.Lock()  # the pacer and the reader both send
        self._load = Load()

    def drive(self) -> Load:
        self._send("initialize", HELLO)
        self._until(lambda message: "result" in message)
        before = 0
        for _ in range(self._threads):
            self._send("thread/start", {})
            opened = self._until(lambda message: "thread" in message.get("result", {}))
            self._left[opened["result"]["thread"]["id"]] = self._turns
            before = before or self._kib()
        if self._per_second is not None:
            self._warm_up()
        self._load.ages_ms.clear()
        began = monotonic()
        self._work(began)
        self._load.seconds = monotonic() - began
        self._load.idle_kib = (self._kib() - before) / self._threads
        return self._load

    def _warm_up(self) -> None:
        """One turn in each thread, which connects it to the model."""
        for thread_id in self._left:
            self._begin(thread_id)
            self._until(lambda message: message.get("method") == "turn/completed")

    def _work(self, began: float) -> None:
        pacer = None
        if self._per_second is None:
            for thread_id in self._left:
                self._begin(thread_id)
        else:
            pacer = threading.Thread(target=self._pace, args=(began, self._per_second), daemon=True)
            pacer.start()
        total = self._threads * self._turns
        while self._load.turns < total:
            params = self._until(lambda message: message.get("method") == "turn/completed")["params"]
            self._load.turns += 1
            self._load.lost += params["turn"]["status"] != "completed"
            thread_id = params["threadId"]
            self._left[thread_id] -= 1
            if pacer is None and self._left[thread_id]:
                self._begin(thread_id)
        if pacer is not None:
            pacer.join()

    def _pace(self, began: float, per_second: float) -> None:
        """One turn after the other at even distances, round the threads."""
        pause = threading.Event()
        threads = list(self._left)
        for number in range(self._threads * self._turns):
            pause.wait(max(0.0, began + number / per_second - monotonic()))
            # Where a thread's turn before is not over yet, this one waits its turn.
            self._begin(threads[number % self._threads], whenBusy="queue")

    def _begin(self, thread_id: str, **options: str) -> None:
        self._send("turn/start", {"threadId": thread_id, "input": [{"type": "text", "text": "Go."}], **options})

    def _send(self, method: str, params: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        with self._writing:
            self._last_id += 1
            line = json.dumps({"id": self._last_id, "method": method, "params": params})
            self._server.stdin.write(line.encode() + b"\n")
            self._server.stdin.flush()

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        assert self._server.stdout is not None
        while line := self._server.stdout.readline():
            message = json.loads(line)
            if "error" in message and "id" in message:
                raise Failed(f"it answered {message['error']}")
            self._check_off(message)
            if wanted(message):
                return message
        raise Failed(f"the server ended after {self._load.turns} turns")

    def _check_off(self, message: dict[str, Any]) -> None:
        if "emittedAtMs" in message:
            self._load.ages_ms.append(time() * 1000 - message["emittedAtMs"])
        number = message.get("sequence")
        if number is None:
            return
        params = message["params"]
        thread_id = params.get("threadId") or params["thread"]["id"]
        self._load.lost += number != self._numbers.get(thread_id, 0) + 1
        self._numbers[thread_id] = number

    def _kib(self) -> int:
        return sum(map(pss_kib, family(self._server.pid)))
