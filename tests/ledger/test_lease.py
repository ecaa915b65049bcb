"""Can two ever drive one session?"""

import os
import signal
import stat
from pathlib import Path

import pytest

from daedal.ledger import Ledger
from daedal.ledger import lease as leasing
from daedal.protocol.errors import LedgerBusy, LedgerError
from tests.ledger.sample import line, python

HOLD = """
import sys
from daedal.ledger import Ledger
ledger = Ledger.open(sys.argv[1])
leases = [ledger.lease(name) for name in sys.argv[2:]]
print("held", flush=True)
sys.stdin.read()
"""


def holding(path: Path, *sessions: str):
    """Another process that drives sessions until it is killed."""
    process = python(HOLD, path, *sessions)
    assert line(process) == "held"
    return process


def killed(process) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_session_that_another_process_drives_is_refused_with_its_name(ledger: Ledger, path: Path):
    process = holding(path, "s1")
    with pytest.raises(LedgerBusy, match=f"session s1 is in use by process {process.pid} · wait"):
        ledger.lease("s1")
    ledger.lease("s2").release()
    killed(process)


def test_the_kernel_gives_the_lease_of_a_killed_process_back(ledger: Ledger, path: Path):
    killed(holding(path, "s1"))
    ledger.lease("s1").release()


def test_the_same_process_is_refused_too(ledger: Ledger, path: Path):
    other = Ledger.open(str(path))
    lease = ledger.lease("s1")
    for again in (ledger, other):
        with pytest.raises(LedgerBusy, match="in this process already"):
            again.lease("s1")
    lease.release()
    other.lease("s1").release()
    other.close()


def test_releasing_one_lease_keeps_the_others(ledger: Ledger, path: Path):
    first, second = ledger.lease("s1"), ledger.lease("s2")
    first.release()
    first.release()
    process = python(HOLD, path, "s2")
    _, err = process.communicate(timeout=60)
    assert f"session s2 is in use by process {os.getpid()}" in err
    killed(holding(path, "s1"))
    second.release()
    killed(holding(path, "s2"))


def test_a_refused_lease_costs_no_lease_that_is_held(ledger: Ledger, path: Path):
    theirs = holding(path, "theirs")
    mine = ledger.lease("mine")
    with pytest.raises(LedgerBusy):
        ledger.lease("theirs")
    _, err = python(HOLD, path, "mine").communicate(timeout=60)
    assert f"process {os.getpid()}" in err
    killed(theirs)
    mine.release()


def test_any_id_can_be_leased(ledger: Ledger):
    leases = [ledger.lease(name) for name in ("", "../../etc/passwd", "\x00", "x" * 100_000, "\ud800", "ä")]
    for lease in leases:
        lease.release()


def test_no_descriptor_is_left_and_the_file_is_private(ledger: Ledger, path: Path):
    ledger.lease("s1").release()
    assert leasing._files == {}
    assert stat.S_IMODE(Path(f"{path}-lease").stat().st_mode) == 0o600


def test_a_lease_file_that_cannot_be_used_is_a_message(ledger: Ledger, path: Path):
    Path(f"{path}-lease").mkdir()
    with pytest.raises(LedgerError, match="-lease could not be used"):
        ledger.lease("s1")
