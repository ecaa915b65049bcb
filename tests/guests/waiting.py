"""How does a test know that a guest's command runs? By what it does first."""

import time
from pathlib import Path

DEADLINE_S = 30.0
PAUSE_S = 0.02


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(PAUSE_S)
