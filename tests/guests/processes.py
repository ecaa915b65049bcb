"""How does a test end a guest's program alone? It is known by its command line and by the home it was given."""

import os
import signal
from pathlib import Path

from tests.toolbox.program import Daedal


def kill_program(daedal: Daedal, word: str) -> None:
    """Kills what was started with that word and belongs to this Daedal."""
    found = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _is_it(pid, daedal, word)]
    assert found, "no program of the guest's is running"
    for pid in found:
        os.kill(pid, signal.SIGKILL)


def _is_it(pid: int, daedal: Daedal, word: str) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    is_ours = f"{daedal.home}/.daedal/guests/".encode() in environment
    return is_ours and word.encode() in words and b"exec" not in words
