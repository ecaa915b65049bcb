"""Can a call hide from the person who is asked about it? A card shows all that would happen, or says it does not."""

import sys
from collections.abc import Callable
from pathlib import Path

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import answered, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]
ODD = [sys.executable, str(Path(__file__).parents[1] / "mcp" / "odd_server.py")]


def asked(terminal: Terminal, **options: object) -> Screen:
    screen = ready(terminal(**options))
    screen.type("go\r")
    return screen.until("May it?")


def test_a_terminal_of_lines_shows_the_last_line_of_a_long_script(terminal: Terminal, model: Model):
    model([call("Bash", command="echo harmless\n" * 60 + "touch the-last-thing"), say("No.")])
    screen = terminal(TERM="dumb")
    screen.until("or /exit\n>").type("go\n")
    screen.until("May it?")
    assert "touch the-last-thing" in screen.scrollback
    screen.type("n\n")
    screen.until("No.")


def test_a_terminal_of_lines_says_what_a_lasting_yes_would_allow(terminal: Terminal, model: Model, daedal: Daedal):
    model([call("Write", file_path=str(daedal.workspace / "b.txt"), content="x"), say("No.")])
    screen = terminal(TERM="dumb", columns=200)
    screen.until("or /exit\n>").type("go\n")
    screen.until("May it?")
    assert "s also allows Edit until this session ends" in screen.text
    assert f"a also writes Edit(/{daedal.workspace}/b.txt) into your own settings" in screen.text
    screen.type("n\n")
    screen.until("No.")


def test_a_script_that_is_too_long_for_a_card_is_said_to_be(terminal: Terminal, model: Model):
    model([call("Bash", command="echo harmless\n" * 6000 + "touch the-last-thing"), say("No.")])
    screen = asked(terminal)
    assert "1001 further lines are not shown" in screen.text
    screen.press("n")
    answered(screen, "No.")


def test_a_file_that_is_too_long_for_a_card_is_said_to_be(terminal: Terminal, model: Model, daedal: Daedal):
    content = "harmless\n" * 6000 + "the last thing\n"
    model([call("Write", file_path=str(daedal.workspace / "b.txt"), content=content), say("No.")])
    screen = asked(terminal)
    assert "1001 further lines are not shown" in screen.text
    screen.press("n")
    answered(screen, "No.")


def test_the_end_of_a_long_path_is_shown(terminal: Terminal, model: Model, daedal: Daedal):
    folder = "/".join(["harmless"] * 20)
    model([call("Write", file_path=str(daedal.workspace / folder / "the-file.sh"), content="x"), say("No.")])
    screen = asked(terminal)
    assert "the-file.sh" in "".join(line.removeprefix("  ↪ ") for line in screen.lines)
    screen.press("n")
    answered(screen, "No.")


def test_a_servers_tool_that_takes_a_file_shows_its_other_arguments(terminal: Terminal, model: Model, daedal: Daedal):
    assert daedal("mcp", "add", "odd", "--", *ODD, "plain").code == 0
    given = {"file_path": "notes.txt", "content": "harmless", "then_run": "rm -rf ~"}
    model([call("mcp__odd__act", **given), say("No.")])
    screen = asked(terminal)
    for part in ("notes.txt", "harmless", "then_run", "rm -rf ~"):
        assert part in screen.text
    screen.press("n")
    answered(screen, "No.")
