"""Does the chat work where a terminal can do little?"""

from collections.abc import Callable

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import answered

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


def test_a_dumb_terminal_has_a_chat_of_lines(terminal: Terminal, model: Model, daedal: Daedal):
    model([call("Bash", command="echo x > x.txt"), say("Plainly **done**.")])
    screen = terminal(TERM="dumb")
    screen.until("or /exit\n>").type("do it\n")
    screen.until("May it?").type("y\n")
    screen.until("Plainly done.").type("/exit\n")
    assert screen.ended() == 0
    assert b"\x1b" not in bytes(screen.raw)
    assert (daedal.workspace / "x.txt").exists()


def test_without_colours_nothing_is_coloured(terminal: Terminal, model: Model):
    model([say("A **bold** word and `code`.")])
    screen = terminal("talk to me", NO_COLOR="1")
    answered(screen, "word and code.")
    assert b"\x1b[3" not in bytes(screen.raw)
    assert b"\x1b[1m" in bytes(screen.raw)


def test_sixteen_colours_are_enough(terminal: Terminal, model: Model):
    model([say("A `code` word.")])
    screen = terminal("talk to me", TERM="xterm")
    answered(screen, "A code word.")
    assert b"\x1b[36m" in bytes(screen.raw)
    assert b"38;5" not in bytes(screen.raw)


def test_with_its_output_closed_the_chat_says_what_it_needs(terminal: Terminal, daedal: Daedal):
    daedal.program = ["sh", "-c", 'exec "$@" >&-', "sh", *daedal.program]
    screen = terminal()
    assert screen.ended() == 2
    assert screen.text.startswith("error: the chat needs a terminal")
    assert "descriptor" not in screen.text


def test_without_a_terminal_the_help_is_shown(daedal: Daedal):
    assert "daedal exec" in daedal().out
    refused = daedal("two words")
    assert refused.code == 2
    assert "needs a terminal" in refused.err
