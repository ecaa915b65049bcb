"""Do the commands about model, effort, settings, colours and keys change what they say, and show it?"""

from collections.abc import Callable

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_replies import say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, ask, command, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


@requirement("RX-15", "SD-08/model")
def test_a_model_is_found_by_searching_and_its_effort_is_chosen_beside_it(terminal: Terminal, model: Model):
    server = model([say("Opus here.")])
    screen = ready(terminal(rows=40))
    command(screen, "/model", "Which model?")
    assert "in use" in screen.text
    assert "openai_compatible" in screen.text
    assert IDLE not in screen.text
    screen.type("opus")
    screen.until("Which model? opus").gone("gpt_4o").press("right")
    screen.until("‹low›").press("enter")
    screen.until("From now on claude-opus-4-20250514").until("claude-opus-4-20250514 (low)")
    ask(screen, "hi", "Opus here.")
    assert server.requests[-1].json["model"] == "claude-opus-4-20250514"
    command(screen, "/model gpt_4o", "From now on gpt-4o (openai_compatible) answers")
    command(screen, "/model nonsense", "nonsense")
    assert "gpt-4o · " in screen.lines[-1] or any("? for keys · gpt-4o" in line for line in screen.lines)


@requirement("RX-15")
def test_effort_theme_and_editing_keys_are_chosen_and_remembered(terminal: Terminal, model: Model, daedal: Daedal):
    model([])
    screen = ready(terminal())
    command(screen, "/effort", "How hard shall").press("4")
    screen.until("From now on the effort is high.").until("(high)")
    command(screen, "/effort auto", "told nothing about effort").gone("(high)")
    command(screen, "/effort enormous", "enormous")
    command(screen, "/theme light", "Colours: light")
    command(screen, "/theme mauve", "there is no theme mauve")
    command(screen, "/vim", "vi")
    screen.until(lambda _: '"vi":true' in (daedal.home / ".daedal" / "chat.json").read_text().replace(" ", ""))
    assert '"theme":"light"' in (daedal.home / ".daedal" / "chat.json").read_text().replace(" ", "")


@requirement("RX-15", "SD-08/config", "SD-08/settings")
def test_settings_are_browsed_explained_set_and_unset(terminal: Terminal, model: Model, daedal: Daedal):
    configure(daedal, "[agent]\nmax_steps = 55\n")
    model([])
    file = daedal.home / ".daedal" / "config.toml"
    screen = ready(terminal(columns=160, rows=40))
    command(screen, "/config agent.max_steps", "meaning")
    assert "55" in screen.text
    assert "~/.daedal/config.toml:2" in screen.text
    command(screen, "/config agent.max_steps 77", "agent.max_steps = 77 is written to ~/.daedal/config.toml")
    assert "max_steps = 77" in file.read_text()
    command(screen, "/config agent.max_steps lots", "must be a whole number")
    assert "max_steps = 77" in file.read_text()
    command(screen, "/settings", "Settings").type("agent.max_steps")
    screen.until("Settings agent.max_steps").until("from the next start on: 77").press("enter")
    screen.until("an empty line takes it out").press("ctrl+u", "enter")
    screen.until("agent.max_steps is taken out of").until("Settings agent.max_steps").press("escape")
    screen.gone("Settings agent.max_steps")
    assert "max_steps" not in file.read_text()
    command(screen, "/config no.such", "there is no setting no.such")
