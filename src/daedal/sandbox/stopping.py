"""How is a background command ended by somebody who did not start it? Its attendant is asked, or its processes end."""

import asyncio
import os
import signal
import time

from daedal.sandbox.ending import end
from daedal.sandbox.family import Family
from daedal.sandbox.leftovers import LeftBehind
from daedal.sandbox.presence import Owner
from daedal.sandbox.roll import Entry, Roll, closed

PATIENCE_S = 10.0
"""How long an attendant may take to end its command."""


async def stop_command(folder: str, found: Entry | LeftBehind) -> bool:
    """Ends it with everything it started. False where it runs on another machine, out of reach."""
    if isinstance(found, LeftBehind):
        await end(Family(f"{found.id}/"))
        Roll(folder).discard(found.id)
        return True
    if found.owner.is_elsewhere:
        return False
    if found.detached:
        await _ask(folder, found)
    await end(Family(f"{found.id}/"))
    left = Roll(folder).get(found.id)
    if left is not None and left.ended is None and not left.owner.is_alive():
        if left.detached:
            Roll(folder).put(closed(left, exit_code=left.exit_code, ending="killed"))
        else:
            Roll(folder).remove(left.id)
    return True


def is_running(entry: Entry) -> bool:
    """Whether anything of it runs, also where whoever looked after it is gone."""
    return entry.ended is None and (entry.owner.is_alive() or bool(Family(f"{entry.id}/").living()))


async def _ask(folder: str, entry: Entry) -> None:
    """Asks the attendant, and kills it where it does not listen."""
    roll = Roll(folder)
    if not _tell(entry.owner, signal.SIGTERM):
        return
    deadline = time.monotonic() + PATIENCE_S
    while entry.owner.is_alive() and time.monotonic() < deadline:
        now = roll.get(entry.id)
        if now is None or now.ended is not None:
            return
        await asyncio.sleep(0.02)
    _tell(entry.owner, signal.SIGKILL)


def _tell(owner: Owner, number: signal.Signals) -> bool:
    """Through a descriptor, so that the number cannot go to another process in between."""
    try:
        watch = os.pidfd_open(owner.pid)
    except AttributeError:
        return _tell_by_number(owner, number)
    except OSError:
        return False
    try:
        if not owner.is_alive():
            return False
        signal.pidfd_send_signal(watch, number)
    except OSError:
        return False
    finally:
        os.close(watch)
    return True


def _tell_by_number(owner: Owner, number: signal.Signals) -> bool:
    try:
        os.kill(owner.pid, number)
    except OSError:
        return False
    return True
