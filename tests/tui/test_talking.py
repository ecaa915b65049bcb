"""Can one talk to a model in the terminal, and stop it, and say more meanwhile?"""

from collections.abc import Callable

import pytest

from tests.toolbox.model_replies import call, say, stall
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import BUSY, IDLE, answered, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


@requirement("RX-15")
def test_an_answer_is_shown_as_markdown_and_stays_after_the_end(terminal: Terminal, model: Model):
    model([say("# Greeting\n\nHello **there**.\n\n```python\nprint(1)\n```\n")])
    screen = terminal()
    screen.until(IDLE).type("hi")
    screen.until("› hi").press("enter")
    answered(screen, "print(1)")
    assert "Hello there." in screen.text
    screen.press("ctrl+d")
    assert screen.ended() == 0
    assert "print(1)" in screen.scrollback
    assert "daedal resume" in screen.text


def test_what_was_typed_before_the_program_was_there_is_not_lost(terminal: Terminal, model: Model):
    model([say("Early bird.")])
    screen = terminal(typed="too early\n")
    answered(screen, "Early bird.")
    assert "› too early" in screen.text


def test_the_first_prompt_can_be_an_argument(terminal: Terminal, model: Model):
    model([say("Gladly.")])
    screen = terminal("say something nice")
    answered(screen, "Gladly.")
    assert "› say something nice" in screen.text


@requirement("RX-15")
def test_a_card_has_the_keyboard_and_hides_the_composer_until_it_is_answered(
    terminal: Terminal, model: Model, daedal: Daedal
):
    model([call("Bash", command="echo made > made.txt"), say("Done.")])
    screen = ready(terminal())
    screen.type("make it\r")
    screen.until("May it?")
    assert "waiting for you" in screen.text
    assert IDLE not in screen.text
    assert BUSY not in screen.text
    screen.press("y")
    answered(screen, "Done.")
    assert (daedal.workspace / "made.txt").read_text() == "made\n"
    assert "✓ Bash echo made > made.txt" in screen.text


def test_a_refusal_tells_the_model_why(terminal: Terminal, model: Model, daedal: Daedal):
    server = model([call("Bash", command="rm -r build"), say("Understood.")])
    screen = ready(terminal())
    screen.type("clean\r")
    screen.until("May it?").press("e")
    screen.until("Why not").type("ask me tomorrow\r")
    answered(screen, "Understood.")
    assert "⊘ Bash rm -r build" in screen.text
    assert "ask me tomorrow" in server.requests[-1].body.decode()


def test_a_card_that_comes_while_somebody_types_takes_none_of_the_keys(terminal: Terminal, model: Model):
    server = model([stall(after=3), say("x")])
    del server
    screen = ready(terminal())
    screen.type("begin\r")
    screen.until("Esc stops").until(BUSY).type("half a thou")
    screen.until("› half a thou")


def test_esc_stops_the_model_and_what_was_queued_waits_for_the_person(terminal: Terminal, model: Model):
    model([stall(after=3), say("Second answer.")])
    screen = ready(terminal())
    screen.type("first\r")
    screen.until(BUSY).type("second\r")
    screen.until("queued › second").press("escape")
    screen.until("Interrupted · tell it what to do instead").until(IDLE)
    assert "queued › second" in screen.text
    screen.press("up")
    screen.gone("queued ›").until("› second")
    screen.type(" thought\r")
    answered(screen, "Second answer.")
    assert "› second thought" in screen.text


def test_what_is_said_while_the_model_works_is_said_when_it_is_done(terminal: Terminal, model: Model):
    server = model([stall(after=3, reply=say("One.", chunks=8)), say("Two.")])
    screen = ready(terminal())
    screen.type("first\r")
    screen.until(BUSY).type("second\r")
    screen.until("queued › second")
    server.release()
    answered(screen.until("One."), "Two.")
    assert screen.text.index("One.") < screen.text.index("› second") < screen.text.index("Two.")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (200, 60)])
def test_the_live_area_fits_the_screen(terminal: Terminal, model: Model, columns: int, rows: int):
    model([say("\n\n".join(f"Paragraph {number} " + "word " * 40 for number in range(30)), chunks=200)])
    screen = ready(terminal(columns=columns, rows=rows))
    screen.type("tell\r")
    answered(screen, "Paragraph 29")
    assert screen.scrollback.count("Paragraph 7 ") == 1
    assert screen.lines[rows - 1] == "" or screen.lines[rows - 1].startswith("? for keys")


def test_the_mode_goes_round(terminal: Terminal, model: Model):
    model([])
    screen = ready(terminal())
    for shown in ("edits accepted", "plan mode", "? for keys"):
        screen.press("shift+tab")
        screen.until(shown)


def test_ctrl_c_twice_leaves(terminal: Terminal, model: Model):
    model([])
    screen = ready(terminal())
    screen.type("draft")
    screen.until("› draft").press("ctrl+c")
    screen.until("Ctrl+C again leaves").press("ctrl+c")
    assert screen.ended() == 0


def test_a_terminal_closed_in_mid_turn_leaves_a_session_that_goes_on(terminal: Terminal, model: Model, daedal: Daedal):
    model([stall(after=3), say("Back again.")])
    screen = ready(terminal())
    screen.type("remember the pear\r")
    screen.until("Esc stops").close()
    screen.process.wait(timeout=60)
    second = ready(terminal("--continue"))
    second.until("remember the pear").type("go on\r")
    answered(second, "Back again.")


def test_the_screen_is_drawn_anew_when_its_size_changes(terminal: Terminal, model: Model):
    model([say("A line of words. " * 12)])
    screen = ready(terminal(columns=100, rows=30))
    screen.type("talk\r")
    answered(screen, "A line of words.")
    screen.resize(60, 20)
    screen.until(lambda screen: any(line.startswith("? for keys") and line.endswith("…") for line in screen.lines))
    screen.type("after")
    screen.until("› after")
