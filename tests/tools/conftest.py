"""A desk for every test of the tools."""

from pathlib import Path

import pytest

from tests.tools.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
