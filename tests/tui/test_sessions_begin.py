"""Can one begin anew, come back, and try something in a copy, from inside the chat?"""

from collections.abc import Callable

from tests.toolbox.model_replies import say, stall
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, answered, ask, command, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


@requirement("SD-08", "SD-08/clear")
def test_a_fresh_session_a_copy_and_the_way_back(terminal: Terminal, model: Model, daedal: Daedal):
    server = model([say("Apples."), say("Pears."), say("Copied."), say("Back.")])
    screen = ready(terminal())
    command(screen, "/clear", "This session is fresh already.")
    ask(screen, "first fruit", "Apples.")
    command(screen, "/reset", "A fresh session. The one before: daedal resume")
    assert "Apples." not in screen.text
    ask(screen, "second fruit", "Pears.")
    assert "first fruit" not in server.requests[-1].body.decode()
    sessions = daedal.rows("SELECT session_id, conversation_id FROM sessions ORDER BY rowid")
    assert len(sessions) == 2, "a fresh session that stayed empty leaves nothing behind"
    assert sessions[0][1] == sessions[1][1], "both belong to one conversation"

    command(screen, "/fork", "This is a copy.")
    ask(screen, "third fruit", "Copied.")
    told = server.requests[-1].body.decode()
    assert "second fruit" in told
    assert "first fruit" not in told

    command(screen, "/rename three kinds", "called “three kinds” now")
    command(screen, "/sessions", "Sessions of this folder:").until("❯ three kinds")
    screen.type("first")
    screen.until(lambda screen: "❯ first fruit" in screen.text and "Apples." in screen.text)
    # What is typed at once is meant for the session that was chosen, though that is still being opened.
    screen.type("\rgo on\r")
    answered(screen, "Back.")
    assert "first fruit" in server.requests[-1].body.decode()

    command(screen, "/resume 123456", "no session")
    screen.until(IDLE).type("/exit\r")
    assert screen.ended() == 0


@requirement("SD-08")
def test_daedal_resume_lets_one_pick_and_fork_goes_on_in_a_copy(terminal: Terminal, model: Model, daedal: Daedal):
    model([say("Apples."), say("Pears."), say("More pears."), say("Other pears.")])
    assert daedal("exec", "tell of plums", "--model", "nonsense").code == 2
    assert daedal.rows("SELECT model_id FROM sessions") == [("nonsense",)], "the refused start is on the record"
    assert daedal("exec", "tell of apples").code == 0
    assert daedal("exec", "tell of pears").code == 0
    listed = daedal("resume")
    assert listed.code == 0
    assert "tell of apples" in listed.out
    assert "tell of pears" in listed.out
    assert "nonsense" not in listed.out
    assert "daedal resume ID" in listed.err

    screen = terminal("resume")
    screen.until("Sessions of this folder:").until("tell of apples").until("1/2 ·")
    screen.type("pears")
    screen.until(lambda screen: "tell of apples" not in screen.text).press("enter")
    ready(screen.gone("Sessions of this folder:")).until("Pears.")
    ask(screen, "go on", "More pears.")
    screen.press("ctrl+d")
    screen.ended()

    pears = daedal.rows("SELECT session_id FROM sessions ORDER BY rowid DESC LIMIT 1")[0][0]
    copy = ready(terminal("--fork"))
    copy.until("More pears.")
    ask(copy, "differently", "Other pears.")
    rows = daedal.rows("SELECT forked_from FROM sessions ORDER BY rowid DESC LIMIT 1")
    assert rows == [(pears,)]


def test_a_session_that_runs_elsewhere_is_marked_shown_live_and_taken_over(
    terminal: Terminal, model: Model, daedal: Daedal
):
    model([stall(after=3), say("Mine now.")])
    other = ready(terminal())
    other.type("a long story\r")
    other.until("Esc stops")
    screen = terminal("resume")
    screen.until("runs in process").press("enter")
    screen.until("works in this session").until("watching process")
    screen.until("a long story")
    screen.type("then this\r")
    screen.until("queued › then this")
    other.press("escape")
    other.until("Interrupted").until(IDLE).press("ctrl+d")
    other.ended()
    screen.until("the session is yours now").until("Mine now.").until(IDLE)
    assert "› then this" in screen.text
