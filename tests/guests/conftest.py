"""What do tests of guests share? The real programs where they are, and a program of ours that finds them."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.peers import find_peer
from tests.guests.dialects import Dialect, claude_dialect, codex_dialect
from tests.toolbox.program import Daedal


@pytest.fixture
def codex(daedal: Daedal) -> Daedal:
    """Daedal where the real Codex is to be found."""
    program = find_peer("codex")
    if program is None:
        pytest.skip("the real codex is not here: ./dev installs it where Node is")
    # Codex puts up no sandbox where its home lies in the temporary folder.
    temporary = daedal.root / "tmp"
    temporary.mkdir()
    daedal.env |= {"PATH": f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(temporary)}
    return daedal


@pytest.fixture
def claude(daedal: Daedal) -> Daedal:
    """Daedal where the Agent SDK, with the real Claude in it, is installed."""
    if find_spec("claude_agent_sdk") is None:
        pytest.skip("claude-agent-sdk is not here: pip install daedal[claude]")
    # Outside of it lies what is outside of the walls.
    temporary = daedal.root / "tmp"
    temporary.mkdir()
    daedal.env |= {"TMPDIR": str(temporary)}
    return daedal


@pytest.fixture(params=["codex", "claude"])
def guest(request: pytest.FixtureRequest) -> Dialect:
    """Daedal with each engine in turn."""
    daedal: Daedal = request.getfixturevalue(request.param)
    return codex_dialect(daedal) if request.param == "codex" else claude_dialect(daedal)
