"""Who looks after a command that shall outlive us? This program, one for each, in a session of its own.

It builds the walls anew, runs the command in them, keeps its output short and notes how it ended. SIGTERM ends the
command with everything it started. What it is to do stands in its standard input, the command's environment is its own,
and its first words to standard output say whether the command runs. `detaching` starts it.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Job
from daedal.sandbox.environment import marked
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.family import Family
from daedal.sandbox.presence import ourselves
from daedal.sandbox.roll import Entry, Roll, closed
from daedal.sandbox.spawner import Background, ProcessSpawner

STOPPED = "stopped"
FIRST_LOOK_S, LAST_LOOK_S = 0.05, 10.0
"""How often it looks whether children that the command left are still there."""

DESCRIPTORS_MAX = 65_536
QUIET_LOOKS = 3
"""Who is in the midst of an exec shows no mark, so one look is not enough."""


class Order(Struct, frozen=True, kw_only=True):
    folder: str
    """Of the roll."""
    entry: Entry
    argv: list[str]
    timeout_s: float | None
    confinement: Confinement | None
    mechanism: str
    """What the walls are made of where the command was allowed; nothing weaker will do."""


class Report(Struct, frozen=True):
    pid: int = 0
    """Of the command, as it is called where it runs."""
    failure: str = ""


class Attendant:
    def __init__(self, order: Order) -> None:
        self._order = order
        self._entry = replace(order.entry, owner=ourselves())
        self._roll = Roll(order.folder)
        self._spawner = ProcessSpawner([])
        self._stop = asyncio.Event()

    async def work(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._stop.set)
        try:
            self._roll.put(self._entry)
            background = self._begin()
        except SpawnFailed as failure:
            await self._spawner.close()
            self._roll.remove(self._entry.id)
            _report(Report(failure=str(failure)))
            return
        _report(Report(pid=background.pid))
        try:
            await self._attend(background)
        finally:
            await self._spawner.close()
            self._roll.put(closed(self._entry, exit_code=background.exit_code, ending=background.ending))

    def _begin(self) -> Background:
        order, entry = self._order, self._entry
        environment = marked(os.environ, entry.id)
        job = Job(argv=order.argv, cwd=entry.cwd, env=environment, timeout_s=order.timeout_s)
        if order.confinement is None:
            return self._spawner.start(job, entry.output)
        walls = self._spawner.within(order.confinement)
        if walls.mechanism != order.mechanism:
            raise SpawnFailed(f"the command was allowed within {order.mechanism}, which does not stand: {walls.gaps}")
        return walls.start(job, entry.output)

    async def _attend(self, background: Background) -> None:
        if await self._is_stopped_before(background.wait()):
            await background.end(STOPPED)
            return
        self._entry = replace(self._entry, exit_code=background.exit_code, ending=background.ending)
        self._roll.put(self._entry)
        family, pause_s, quiet_looks = Family(f"{self._entry.id}/"), FIRST_LOOK_S, 0
        while quiet_looks < QUIET_LOOKS and not self._stop.is_set():
            quiet_looks = 0 if family.living() else quiet_looks + 1
            await self._is_stopped_before(asyncio.sleep(pause_s if quiet_looks == 0 else FIRST_LOOK_S))
            pause_s = min(pause_s * 2, LAST_LOOK_S)

    async def _is_stopped_before(self, end: Coroutine[Any, Any, object]) -> bool:
        first, stop = asyncio.create_task(end), asyncio.create_task(self._stop.wait())
        await asyncio.wait((first, stop), return_when=asyncio.FIRST_COMPLETED)
        is_stopped = not first.done()
        first.cancel()
        stop.cancel()
        await asyncio.wait((first, stop))
        return is_stopped


def _report(report: Report) -> None:
    """Says it, and nothing after it."""
    try:
        os.write(1, msgspec.json.encode(report) + b"\n")
    except OSError:
        pass  # whoever started us is gone already
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)


def main() -> None:
    os.closerange(3, DESCRIPTORS_MAX)  # whoever waits for the end of some pipe must not wait for us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    os.chdir("/")
    asyncio.run(_work(order))


async def _work(order: Order) -> None:
    await Attendant(order).work()


if __name__ == "__main__":
    main()
