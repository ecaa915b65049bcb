"""How many commits a second does this disk allow? What the ledger's durability costs, apart from the ledger."""

import sqlite3
from time import monotonic

from bench.field import Effort, Field, say
from bench.figures import Extra

MODES = ("FULL", "NORMAL")
ROW = "x" * 600
DEADLINE_S = 15.0


def measure(field: Field, effort: Effort) -> Extra:
    rates = {
        mode: _per_second(str(field.scratch.folder / f"commits-{mode}.db"), mode, effort.commits) for mode in MODES
    }
    told = "; ".join(f"`synchronous={mode}`: {rate:,.0f} a second" for mode, rate in rates.items())
    say(f"commits: {told}")
    return Extra(
        "Commits on this disk",
        f"One small row per transaction, write-ahead log, plain SQLite: {told}. The ledger uses FULL and commits twice "
        f"per tool step, so about {2000 / rates['FULL']:.2f} ms of each step are the disk's.",
    )


def _per_second(path: str, mode: str, commits: int) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={mode}")
        connection.execute("CREATE TABLE entries (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        began = monotonic()
        done = 0
        while done < commits and monotonic() - began < DEADLINE_S:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO entries (body) VALUES (?)", (ROW,))
            connection.execute("COMMIT")
            done += 1
        return done / (monotonic() - began)
    finally:
        connection.close()
