"""Can one go back to an earlier turn, knowing what that does to files and what it does not undo?"""

from collections.abc import Callable

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, answered, ask, ready
from tests.tui.test_sessions_papers import repository

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


def accepting(terminal: Terminal) -> Screen:
    return ready(terminal("--permission-mode", "acceptEdits", "--allow", "Bash"), "edits accepted")


def write(name: str, text: str) -> object:
    return call("Write", file_path=name, content=text)


@requirement("SD-08", "DX-07")
def test_esc_esc_goes_back_to_a_turn_with_conversation_files_or_both(terminal: Terminal, model: Model, daedal: Daedal):
    made, other = daedal.workspace / "made.txt", daedal.workspace / "other.txt"
    server = model(
        [
            write(str(made), "one\n"),
            say("Written."),
            call("Bash", command="echo done > effect.txt"),
            write(str(other), "two\n"),
            say("All done."),
            say("Once more."),
        ]
    )
    screen = accepting(terminal)
    screen.type("/rewind\r")
    screen.until("there is nothing to go back to")
    ask(screen, "make one", "Written.")
    ask(screen, "make two", "All done.")
    other.write_text("changed by hand\n")

    screen.press("escape", "escape")
    screen.until("Go back to before:").until("❯ make two")
    screen.until("files changed: 1").until("cannot be undone: 1").until("echo done > effect.txt")
    screen.type("one")
    screen.until("❯ make one").press("enter")
    screen.until("What goes back?")
    for told in ("made.txt", "other.txt", "This cannot be undone:", "echo done > effect.txt"):
        assert told in screen.text
    screen.press("b")
    screen.until("Changed since").until("Overwrite them?").press("l")
    screen.until("files put back: 1")
    assert "other.txt was left as it is" in screen.text
    assert not made.exists()
    assert other.read_text() == "changed by hand\n"
    screen.until("› make one")
    assert "All done." not in screen.text
    screen.type(" again\r")
    answered(screen, "Once more.")
    told = server.requests[-1].body.decode()
    assert "make one again" in told
    assert "make two" not in told


def test_the_footer_tells_what_is_changed_after_a_command_of_ones_own_and_after_a_rewind(
    terminal: Terminal, model: Model, daedal: Daedal
):
    path = daedal.workspace / "old.txt"
    path.write_text("old\n")
    repository(daedal.workspace)
    model([call("Read", file_path=str(path)), write(str(path), "new\n"), say("Written.")])
    screen = accepting(terminal).until(" · main · ")
    ask(screen, "change it", "Written.").until(" · main +1 −1 · ")
    screen.type("!echo more >> old.txt\r")
    screen.until(" · main +2 −1 · ").until(IDLE)
    screen.type("/rewind\r")
    screen.until("Go back to before:").type("change")
    screen.until("❯ change it").press("enter")
    screen.until("What goes back?").press("f")
    screen.until("Overwrite them?").press("o")
    screen.until(" · main · ")
    assert path.read_text() == "old\n"


def test_undo_takes_back_the_last_turn_and_names_what_stays_done(terminal: Terminal, model: Model, daedal: Daedal):
    made = daedal.workspace / "made.txt"
    model([write(str(made), "one\n"), say("Written."), call("Bash", command="echo hi > effect.txt"), say("Echoed.")])
    screen = accepting(terminal)
    ask(screen, "make one", "Written.")
    ask(screen, "echo it", "Echoed.")
    screen.type("/undo\r")
    screen.until("This cannot be undone:").until("echo hi > effect.txt").press("n")
    screen.until(IDLE)
    assert "Echoed." in screen.text
    screen.type("/undo\r")
    screen.until("Take back").press("y")
    screen.gone("Echoed.").until("› echo it")
    screen.press("ctrl+u")
    screen.until(IDLE).type("/undo\r")
    screen.gone("Written.").until("› make one").until("files put back: 1")
    assert not made.exists()
    assert (daedal.workspace / "effect.txt").exists()

    screen.press("ctrl+u")
    screen.until(IDLE).type("/rewind\r")
    screen.until("an earlier rewind").press("enter")
    screen.until("Undo that rewind").press("b")
    screen.until("Written.")
    assert made.read_text() == "one\n"
