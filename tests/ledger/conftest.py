"""A ledger in a temporary folder, closed when the test is over."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from daedal.ledger import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "daedal.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(str(path))
    yield ledger
    ledger.close()
