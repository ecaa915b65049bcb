"""What holds where there is no /proc and no descriptor of a process, as on macOS? Played in a process of its own."""

import subprocess
import sys
from pathlib import Path

from tests.sandbox.watching import alive, nap

SCRIPT = """
import asyncio, os, sys, time

def no_descriptor(pid, flags=0):
    raise OSError("not here")

os.pidfd_open = no_descriptor
import daedal.sandbox.processes
daedal.sandbox.processes.HAS_PROC = False
from daedal.protocol.seams import Job
from daedal.sandbox import ProcessSpawner

def job(script, timeout_s=20):
    return Job(argv=["bash", "-c", script], cwd=".", env=spawner.environment(), timeout_s=timeout_s)

async def main():
    done = await spawner.run(job("echo out; echo err >&2; exit 3"))
    assert (done.exit_code, done.stdout, done.stderr) == (3, b"out\\n", b"err\\n"), done
    late = await spawner.run(job(f"echo early; (trap '' TERM; {sys.argv[1]}) & {sys.argv[1]}", 0.3))
    assert late.timed_out and late.stdout == b"early\\n", late
    background = spawner.start(job(sys.argv[1], None), "output")
    task = asyncio.create_task(spawner.run(job(sys.argv[1])))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await spawner.close()
    assert background.exit_code == 128 + 15, background.exit_code

spawner = ProcessSpawner([])
asyncio.run(main())
"""


def test_a_command_and_its_group_end(tmp_path: Path):
    sleep = nap()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, sleep], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert alive(sleep) == []
