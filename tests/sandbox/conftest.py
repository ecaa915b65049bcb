"""A jailhouse for every test that needs one."""

from pathlib import Path

import pytest

from tests.sandbox.jailhouse import Jailhouse


@pytest.fixture
def jailhouse(tmp_path: Path) -> Jailhouse:
    return Jailhouse(tmp_path)
