"""How does a test see which processes there are? From /proc, by a number that only its own command mentions."""

import asyncio
import os
import random
import time
from collections.abc import Callable

from daedal.protocol.seams import Job
from daedal.sandbox import ProcessSpawner


def nap() -> str:
    """A sleep that outlasts any test and can be told from every other process."""
    return f"sleep 1000.{random.randrange(10**9, 10**10)}"


def alive(command: str) -> list[int]:
    """The processes whose command line is exactly this, zombies left out: those have none."""
    wanted = b"\0".join(word.encode() for word in command.split()) + b"\0"
    return [int(pid) for pid in os.listdir("/proc") if pid.isdecimal() and _read(f"/proc/{pid}/cmdline") == wanted]


def zombies() -> list[int]:
    """Our children that nobody has waited for."""
    found: list[int] = []
    for pid in os.listdir("/proc"):
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split() if pid.isdecimal() else []
        if len(fields) > 1 and fields[0] == b"Z" and int(fields[1]) == os.getpid():
            found.append(int(pid))
    return found


async def until(condition: Callable[[], object]) -> None:
    """Returns when the condition holds; fails when it does not come about."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        await asyncio.sleep(0.005)


def shell(spawner: ProcessSpawner, script: str, cwd: object, *, timeout_s: float | None = 30, cap: int = 1000) -> Job:
    return Job(
        argv=["bash", "-c", script],
        cwd=str(cwd),
        env=spawner.environment(),
        timeout_s=timeout_s,
        output_bytes_max=cap,
    )


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
