"""Who buries the dead? Whoever knows them, and in the end we, when nobody else does."""

import asyncio
import subprocess

from daedal.sandbox.orphans import UNCLAIMED_S, bury_unclaimed
from daedal.sandbox.processes import Process, look
from tests.sandbox.watching import until


def dead_child() -> tuple[subprocess.Popen[bytes], Process]:
    child = subprocess.Popen(["true"])
    asyncio.run(until(lambda: (found := look(child.pid)) is not None and found.is_dead))
    found = look(child.pid)
    assert found is not None
    return child, found


def test_a_dead_child_of_somebody_else_is_left_to_its_owner():
    child, dead = dead_child()
    bury_unclaimed([dead], lambda _: False, 100.0)
    bury_unclaimed([dead], lambda _: False, 100.0 + UNCLAIMED_S / 2)
    assert look(dead.pid) == dead
    assert child.wait() == 0


def test_a_dead_child_that_nobody_claims_is_buried_after_a_while():
    child, dead = dead_child()
    bury_unclaimed([dead], lambda _: False, 100.0)
    bury_unclaimed([dead], lambda _: False, 100.0 + UNCLAIMED_S)
    assert look(dead.pid) is None
    child.wait()


def test_a_dead_child_that_is_known_is_buried_at_once():
    child, dead = dead_child()
    bury_unclaimed([dead], lambda _: True, 100.0)
    assert look(dead.pid) is None
    child.wait()
