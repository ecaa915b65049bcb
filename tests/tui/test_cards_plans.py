"""Can a plan be read, edited, approved and sent back in the terminal?"""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, answered, card, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]
CARD = "Shall it be carried out?"
PLAN = "# Mend the roof\n\n" + "\n".join(f"{number}. Tile **{number}**" for number in range(1, 41))


def planning(terminal: Terminal, *, columns: int = 80, rows: int = 24, **env: str) -> Screen:
    screen = ready(terminal(columns=columns, rows=rows, **env))
    screen.press("shift+tab")
    screen.until("edits accepted").press("shift+tab")
    screen.until("plan mode").type("plan it\r")
    return screen.until(CARD)


@requirement("SD-20")
def test_a_plan_is_read_whole_and_approved_with_the_mode_to_go_on_in(terminal: Terminal, model: Model, daedal: Daedal):
    file = daedal.workspace / "roof.txt"
    model([call("ExitPlanMode", plan=PLAN), call("Write", file_path=str(file), content="tiles\n"), say("Mended.")])
    screen = planning(terminal)
    assert "Mend the roof" in screen.text
    assert "1. Tile 1" in screen.text
    assert "Tile 40" not in screen.text
    for _ in range(12):
        screen.press("pagedown")
    screen.until("Tile 40")
    screen.press("a")
    answered(screen, "Mended.").until("edits accepted")
    assert file.read_text() == "tiles\n"
    assert "Mend the roof" in daedal("plan", "show").out


def test_a_plan_that_is_approved_plainly_asks_about_each_change(terminal: Terminal, model: Model, daedal: Daedal):
    file = daedal.workspace / "roof.txt"
    model([call("ExitPlanMode", plan=PLAN), call("Write", file_path=str(file), content="tiles\n"), say("Not so.")])
    screen = planning(terminal)
    screen.press("y")
    card(screen, "May it?").press("n")
    answered(screen, "Not so.")
    assert not file.exists()


def test_a_plan_can_be_carried_out_without_further_asking(terminal: Terminal, model: Model, daedal: Daedal):
    model([call("ExitPlanMode", plan=PLAN), call("Bash", command="echo tiles > roof.txt"), say("All done.")])
    screen = planning(terminal)
    screen.press("w")
    answered(screen, "All done.")
    assert (daedal.workspace / "roof.txt").read_text() == "tiles\n"


@requirement("SD-20")
def test_a_plan_is_edited_in_the_persons_editor_and_what_they_wrote_counts(
    terminal: Terminal, model: Model, daedal: Daedal, tmp_path: Path
):
    editor = tmp_path / "ed"
    editor.write_text('#!/bin/sh\nprintf "# Another roof\\n\\nSlate, not tiles.\\n" > "$1"\n')
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    server = model([call("ExitPlanMode", plan=PLAN), say("Slate it is.")])
    screen = planning(terminal, EDITOR=str(editor))
    screen.press("ctrl+g")
    screen.until("Slate, not tiles.").until("changed by you").press("y")
    answered(screen, "Slate it is.")
    assert "edited the plan before approving it" in server.requests[-1].body.decode()
    assert "Slate, not tiles." in daedal("plan", "show").out


def test_a_plan_is_sent_back_with_a_comment(terminal: Terminal, model: Model, daedal: Daedal):
    server = model([call("ExitPlanMode", plan=PLAN), say("I shall think again.")])
    screen = planning(terminal)
    screen.press("n")
    screen.until("What shall be different?").type("use slate\r")
    answered(screen, "I shall think again.").until("plan mode")
    assert "use slate" in server.requests[-1].body.decode()


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (200, 60)])
def test_the_choices_are_in_sight_however_long_the_plan_is(terminal: Terminal, model: Model, columns: int, rows: int):
    model([call("ExitPlanMode", plan=PLAN * 5)])
    screen = planning(terminal, columns=columns, rows=rows)
    letters = {
        "y": "yes, and ask me",
        "a": "yes, accept its",
        "w": "yes, and ask nothing",
        "n": "no, keep",
        "e": "edit",
    }
    for letter, choice in letters.items():
        assert f"{letter}  {choice}" in screen.text
    assert IDLE not in screen.text
