"""How does a command look into the ledger without working in it? Read-only, and calmly where there is none yet."""

import os
from collections.abc import Generator
from contextlib import contextmanager

from daedal.config import database_path
from daedal.ledger import Ledger


@contextmanager
def open_ledger() -> Generator[Ledger | None]:
    """The ledger for reading, or None where nothing was ever recorded."""
    path = database_path()
    if not os.path.exists(path):
        yield None
        return
    ledger = Ledger.open(path, read_only=True)
    try:
        yield ledger
    finally:
        ledger.close()
