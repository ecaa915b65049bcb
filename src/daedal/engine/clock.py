"""When was it? The ledger's text times as the seconds that the protocol uses."""

import time


def epoch(stamp: str) -> int:
    """Seconds since the epoch of SQLite's `datetime('now')`."""
    from calendar import timegm

    return timegm(time.strptime(stamp[:19], "%Y-%m-%d %H:%M:%S"))
