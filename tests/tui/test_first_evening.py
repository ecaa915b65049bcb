"""What does somebody see who has just installed it, or whose model cannot be reached?"""

from collections.abc import Callable

from tests.toolbox.model_replies import say
from tests.toolbox.model_server import ModelServer
from tests.tui.screen import Screen
from tests.tui.sitting import answered

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


def test_without_a_key_one_is_helped_in_place_and_what_was_typed_is_kept(terminal: Terminal):
    screen = terminal(typed="my first question")
    screen.until("ANTHROPIC_API_KEY is not set").until("There is no model to talk to yet. What now?")
    screen.until("❯ s  set one up here").gone("› my first question").press("s")
    screen.until("Which provider?").press("ctrl+c")
    screen.until("There is no model to talk to yet. What now?").press("m")
    screen.until("Which model?").type("nonsense\r")
    screen.until("nonsense").until("There is no model to talk to yet. What now?").press("q")
    assert screen.ended() == 1


def test_a_wrong_model_can_be_named_anew(terminal: Terminal, model: Model):
    model([say("Here I am.")])
    screen = terminal("are you there?", "--model", "sonet")
    screen.until("sonet").until("What now?").press("m")
    screen.until("Which model?").type("sonnet\r")
    answered(screen, "Here I am.")
