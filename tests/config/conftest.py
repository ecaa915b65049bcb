"""A home, a project and a machine in a temporary folder."""

from pathlib import Path

import pytest

from tests.config.gate import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
