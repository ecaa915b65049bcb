"""What do tests of guests share? The real programs where they are, a Daedal that finds them, and their visits."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.peers import find_peer
from tests.guests.claude_visit import claude_visit_by
from tests.guests.codex_visit import codex_visit_by
from tests.guests.dialects import Dialect, claude_dialect, codex_dialect
from tests.guests.handovers import Handover, handed_over
from tests.guests.visits import Visit
from tests.toolbox.program import Daedal


@pytest.fixture
def codex(daedal: Daedal) -> Daedal:
    return with_codex(daedal)


@pytest.fixture
def claude(daedal: Daedal) -> Daedal:
    return with_claude(daedal)


@pytest.fixture(params=["codex", "claude"])
def guest(request: pytest.FixtureRequest) -> Dialect:
    """Daedal with each engine in turn."""
    daedal: Daedal = request.getfixturevalue(request.param)
    return codex_dialect(daedal) if request.param == "codex" else claude_dialect(daedal)


@pytest.fixture(scope="session")
def codex_visit(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    return codex_visit_by(codex_dialect(with_codex(Daedal(tmp_path_factory.mktemp("codex")))))


@pytest.fixture(scope="session")
def claude_visit(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    return claude_visit_by(claude_dialect(with_claude(Daedal(tmp_path_factory.mktemp("claude")))))


@pytest.fixture(params=["codex", "claude"])
def visit(request: pytest.FixtureRequest) -> Visit:
    """The finished visit of each engine in turn: to be looked at, not to be changed."""
    return request.getfixturevalue(f"{request.param}_visit")


@pytest.fixture(scope="session")
def codex_handover(tmp_path_factory: pytest.TempPathFactory) -> Handover:
    return handed_over(codex_dialect(with_codex(Daedal(tmp_path_factory.mktemp("codex")))))


@pytest.fixture(scope="session")
def claude_handover(tmp_path_factory: pytest.TempPathFactory) -> Handover:
    return handed_over(claude_dialect(with_claude(Daedal(tmp_path_factory.mktemp("claude")))))


@pytest.fixture(params=["codex", "claude"])
def handover(request: pytest.FixtureRequest) -> Handover:
    """A session that each engine had for a while: to be looked at, not to be changed."""
    return request.getfixturevalue(f"{request.param}_handover")


def with_codex(daedal: Daedal) -> Daedal:
    """Where the real Codex is to be found."""
    program = find_peer("codex")
    if program is None:
        pytest.skip("the real codex is not here: ./dev installs it where Node is")
    # Codex puts up no sandbox where its home lies in the temporary folder.
    temporary = daedal.root / "tmp"
    temporary.mkdir()
    daedal.env |= {"PATH": f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(temporary)}
    return daedal


def with_claude(daedal: Daedal) -> Daedal:
    """Where the Agent SDK, with the real Claude in it, is installed."""
    if find_spec("claude_agent_sdk") is None:
        pytest.skip("claude-agent-sdk is not here: pip install daedal[claude]")
    # Outside of it lies what is outside of the walls.
    temporary = daedal.root / "tmp"
    temporary.mkdir()
    daedal.env |= {"TMPDIR": str(temporary)}
    return daedal
