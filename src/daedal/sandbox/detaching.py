"""How does a command start that shall outlive us? Through an attendant, which is started here and then left alone."""

import asyncio
import os
import signal
import sys

import msgspec

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Job
from daedal.sandbox.attendant import Order, Report
from daedal.sandbox.ending import end
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.family import Family
from daedal.sandbox.input import open_input
from daedal.sandbox.pipes import open_pipe
from daedal.sandbox.roll import Entry, Roll

START_S = 30.0
REPORT_BYTES_MAX = 65_536


async def detach(folder: str, entry: Entry, job: Job, walls: Confinement | None, mechanism: str) -> int:
    """Starts it, and returns its pid once it runs. Raises SpawnFailed; cancelled, it leaves nothing behind."""
    order = Order(
        folder=folder,
        entry=entry,
        argv=job.argv,
        timeout_s=job.timeout_s,
        confinement=walls,
        mechanism=mechanism,
    )
    Roll(folder).put(entry)
    try:
        return await _started(order, job)
    except BaseException:
        Roll(folder).remove(entry.id)
        raise


async def _started(order: Order, job: Job) -> int:
    try:
        written = msgspec.json.encode(order)
    except UnicodeEncodeError as error:
        raise SpawnFailed(f"cannot start {job.argv[0]!r}: {error}") from error
    reading, writing = open_pipe()
    attendant = 0
    has_started = False
    try:
        attendant = _spawn(written, job.env, writing)
        os.close(writing)
        writing = -1
        report = await _report(reading)
        has_started = not report.failure
    finally:
        for descriptor in (reading, writing):
            if descriptor >= 0:
                os.close(descriptor)
        if attendant and not has_started:
            await _end(attendant, order.entry.id)
    if report.failure:
        raise SpawnFailed(report.failure)
    _bury_later(attendant)
    return report.pid


def _spawn(order: bytes, environment: dict[str, str], report: int) -> int:
    """In a session of its own, with nothing of ours but this order and one way to answer it."""
    stdin = open_input(order)
    try:
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", "daedal.sandbox.attendant"],
            environment,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, stdin, 0),
                *((os.POSIX_SPAWN_DUP2, report, number) for number in (1, 2)),
            ],
            setsid=True,
            setsigdef=[signal.SIGPIPE, signal.SIGINT, signal.SIGHUP, signal.SIGTERM],
        )
    except (OSError, ValueError, NotImplementedError) as error:
        raise SpawnFailed(f"the attendant of a command cannot be started: {error}") from error
    finally:
        os.close(stdin)


async def _report(reading: int) -> Report:
    """The attendant's first words, or its last where it broke. Raises SpawnFailed."""
    os.set_blocking(reading, False)
    loop = asyncio.get_running_loop()
    said: asyncio.Future[bytes] = loop.create_future()
    heard = b""

    def hear() -> None:
        nonlocal heard
        chunk = os.read(reading, REPORT_BYTES_MAX)
        heard += chunk
        is_report = heard.endswith(b"\n") and _last_line(heard).startswith(b"{")
        if (is_report or not chunk or len(heard) > REPORT_BYTES_MAX) and not said.done():
            said.set_result(heard)

    loop.add_reader(reading, hear)
    try:
        async with asyncio.timeout(START_S):
            words = await said
        return msgspec.json.decode(_last_line(words), type=Report)
    except TimeoutError:
        raise SpawnFailed(f"the attendant of a command did not answer within {START_S:g} s") from None
    except msgspec.MsgspecError as error:
        last = _last_line(heard).decode("utf-8", "replace")
        raise SpawnFailed(f"the attendant of a command ended at once: {last}") from error
    finally:
        loop.remove_reader(reading)


def _last_line(text: bytes) -> bytes:
    """Python itself may have something to say before."""
    return text.strip().rpartition(b"\n")[2]


async def _end(attendant: int, identity: str) -> None:
    """A jail ends with its attendant; what runs without one is found by its mark."""
    try:
        os.kill(attendant, signal.SIGKILL)
        os.waitpid(attendant, 0)
    except OSError:
        pass  # it has ended, and somebody has waited for it
    await end(Family(f"{identity}/"))


def _bury_later(attendant: int) -> None:
    """Waits for it when it ends while we are still there. Where there is no such descriptor, we end soon enough."""
    try:
        watch = os.pidfd_open(attendant)
    except (OSError, AttributeError):
        return
    loop = asyncio.get_running_loop()

    def bury() -> None:
        loop.remove_reader(watch)
        os.close(watch)
        try:
            os.waitpid(attendant, os.WNOHANG)
        except OSError:
            pass  # somebody else did

    loop.add_reader(watch, bury)
