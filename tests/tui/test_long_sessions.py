"""Does a session of ten thousand items open like one of ten, and can every one of them be reached?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.toolbox.long_session import grow
from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import ask, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]
TURNS = 1250
SCREENFULS_BYTES_MAX = 60_000
"""More than a few screens take, and far less than a session of that length."""


@pytest.fixture(scope="module")
def long_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home and a project whose session has more than 10,000 items."""
    daedal = Daedal(tmp_path_factory.mktemp("long"))
    (daedal.workspace / "notes.txt").write_text("hello\n" * 20)
    first = say("Looking.") + call("Read", file_path="notes.txt")
    with ModelServer([first, *[call("Glob", pattern="*.txt")] * 5, say("Done.")]) as server:
        daedal.env |= server.env()
        assert daedal("exec", "look around", "--approval", "yolo").code == 0
    grow(daedal.database, daedal.session, TURNS)
    return daedal.root


@pytest.fixture
def daedal(long_home: Path) -> Daedal:
    return Daedal(long_home)


def test_the_end_is_shown_at_once_and_the_viewer_reaches_the_rest(terminal: Terminal, model: Model, daedal: Daedal):
    model([say("Still here.")])
    screen = terminal("--continue", columns=90, rows=24)
    ready(screen.until(f"Done. (turn {TURNS - 1})"))
    assert "earlier items · Ctrl+O shows them all" in screen.scrollback
    assert "(turn 1200)" not in screen.scrollback
    assert len(screen.raw) < SCREENFULS_BYTES_MAX

    screen.press("ctrl+o")
    screen.until(" of 11,").press("g")
    screen.until(" 1 of 11,").until("Looking.")
    assert screen.lines[0].strip() == "› look around"
    screen.press("pagedown", "pagedown")
    screen.until("(turn 0)")
    screen.press("G")
    screen.until(f"(turn {TURNS - 1})").type("/Turn 777)\r")
    screen.until("Done. (turn 777)").press("n")
    screen.until(lambda screen: screen.lines[0].startswith("Looking. (turn 777)"))
    screen.press("N")
    screen.until(lambda screen: screen.lines[0].startswith("Done. (turn 777)"))
    screen.type("/no such words\r")
    screen.until("nothing says “no such words”")
    assert screen.lines[0].startswith("Done. (turn 777)")
    screen.press("q")
    ask(screen, "are you there?", "Still here.")
