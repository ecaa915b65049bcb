"""Can one write comfortably? Several lines, pastes, history, menus, an editor."""

import stat
from collections.abc import Callable

from tests.toolbox.model_replies import say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, again, answered, ask, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


def test_a_prompt_can_have_several_lines(terminal: Terminal, model: Model):
    server = model([say("Read.")])
    screen = ready(terminal())
    screen.type("one\\")
    screen.press("enter")
    screen.type("two")
    screen.press("alt+enter")
    screen.type("three")
    screen.press("ctrl+j")
    screen.type("four")
    screen.until("  four").press("enter")
    answered(screen, "Read.")
    assert "one\\ntwo\\nthree\\nfour" in server.requests[-1].body.decode()


def test_a_long_paste_is_folded_and_sent_whole(terminal: Terminal, model: Model):
    server = model([say("Long.")])
    screen = ready(terminal())
    screen.paste("\n".join(f"line {number}" for number in range(120)))
    screen.until("[pasted 120 lines #1]").type(" what is this?\r")
    answered(screen, "Long.")
    assert "line 0\\nline 1\\n" in server.requests[-1].body.decode()
    assert "line 119 what is this?" in server.requests[-1].body.decode()


def test_a_paste_is_never_obeyed(terminal: Terminal, model: Model):
    model([])
    screen = ready(terminal())
    screen.paste("a\rb\x03c")
    screen.until("b␃c")
    assert screen.process.poll() is None


def test_earlier_prompts_come_back_and_only_their_owner_can_read_them(terminal: Terminal, model: Model, daedal: Daedal):
    model([say("One."), say("Two."), say("Three.")])
    screen = ready(terminal())
    ask(screen, "alpha first", "One.")
    ask(screen, "beta second", "Two.").press("up", "up")
    screen.until(again("› alpha first")).press("ctrl+d", "ctrl+u", "ctrl+d")
    screen.ended()
    path = daedal.home / ".daedal" / "history.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    second = ready(terminal())
    second.press("ctrl+r")
    second.until("earlier prompts:").type("bet")
    second.gone("alpha first").until("❯ beta second").press("enter")
    second.until("› beta second")


@requirement("SD-08", "RX-13")
def test_the_menu_of_commands_filters_as_one_types(terminal: Terminal, model: Model):
    model([])
    screen = ready(terminal())
    screen.type("/")
    screen.until("/model").type("stat")
    screen.until("❯ /status").press("enter")
    screen.until("model calls").until(IDLE)
    screen.type("/modle\r")
    screen.until("did you mean /model?")


@requirement("RX-14")
def test_files_are_offered_after_an_at_sign_one_level_at_a_time(terminal: Terminal, model: Model, daedal: Daedal):
    (daedal.workspace / "src").mkdir()
    (daedal.workspace / "src" / "main.py").write_text("x = 1\n")
    (daedal.workspace / "notes.md").write_text("hi\n")
    model([])
    screen = ready(terminal())
    screen.type("look at @")
    screen.until("notes.md").type("sr")
    screen.gone("notes.md").until("❯ src/").press("tab")
    screen.until("main.py").press("tab")
    screen.until("› look at @src/main.py")


def test_an_editor_of_the_persons_own_writes_the_prompt(terminal: Terminal, model: Model, daedal: Daedal):
    model([])
    editor = daedal.root / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "written elsewhere" > "$1"\n')
    editor.chmod(0o700)
    screen = ready(terminal(EDITOR=str(editor)))
    screen.type("draft")
    screen.until("› draft").press("ctrl+g")
    screen.until("› written elsewhere")


def test_vi_keys_can_be_chosen(terminal: Terminal, model: Model):
    model([])
    screen = ready(terminal())
    screen.type("/vim\r")
    screen.until("vi keys now")
    screen.type("one two three")
    screen.until("› one two three").press("escape")
    screen.type("0dwcwTWO")
    screen.until("› TWO three")


def test_the_transcript_opens_what_the_chat_shows_in_a_line(terminal: Terminal, model: Model, daedal: Daedal):
    from tests.toolbox.model_replies import call

    model([call("Bash", command="seq 1 5"), say("Counted.")])
    screen = terminal("count to five", "--approval", "yolo")
    answered(screen, "Counted.").press("ctrl+o")
    screen.until("│ 5").press("q")
    screen.until(IDLE)
    assert "│ 5" not in screen.text
