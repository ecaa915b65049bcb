"""Does the terminal obey nobody but us outside of the chat too? What steers or hides becomes something that shows."""

from collections.abc import Callable

import pytest

from daedal.cli.printing import STEERING
from daedal.tui.terminal.visible import TABLE
from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]
EVIL = "\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\x9d0;t\x9c \u202egnp.exe\u2066 \u200b\ufeff\u2028 \U000e0041"
STEERS = (b"\x1b[2Ja", b"\x1b]", *(letter.encode() for letter in "\x9b\x9d\u202e\u2066\u200b\ufeff\u2028\U000e0041"))


def obeyed(screen: Screen) -> list[bytes]:
    return [sign for sign in STEERS if sign in bytes(screen.raw)]


@pytest.fixture
def told(terminal: Terminal, model: Model) -> Screen:
    """A run in a terminal, of a model that would like to steer it."""
    model([call("Bash", command=f"echo '{EVIL}a'"), call("Glob", pattern=EVIL), say(f"before {EVIL}after")])
    screen = terminal("exec", f"go {EVIL}")
    assert screen.ended() == 0
    return screen


def test_a_run_shows_what_would_steer(told: Screen):
    assert "gnp.exe" in told.scrollback
    assert obeyed(told) == []


@pytest.mark.parametrize(
    "words",
    [
        ("sessions",),
        ("sessions", "--json"),
        ("sessions", "show"),
        ("sessions", "show", "--json"),
        ("export",),
        ("export", "--format", "jsonl"),
    ],
)
def test_a_look_at_the_record_shows_what_would_steer(
    told: Screen, terminal: Terminal, words: tuple[str, ...], daedal: Daedal
):
    of = [daedal.session] if words[0] == "export" or "show" in words else []
    screen = terminal(*words, *of)
    assert screen.ended() == 0, screen.text
    assert "gnp.exe" in screen.scrollback
    assert obeyed(screen) == []


@pytest.mark.parametrize(("words", "shown"), [((), "What shall be done?"), (("sandbox", "status"), "network")])
def test_a_folder_whose_name_steers_is_shown(
    daedal: Daedal, terminal: Terminal, model: Model, words: tuple[str, ...], shown: str
):
    model([])
    daedal.workspace = daedal.root / f"folder{EVIL}a".replace("/", "")
    daedal.workspace.mkdir()
    screen = terminal(*words, columns=300).until(shown)
    assert "folder" in screen.scrollback
    assert obeyed(screen) == []


def test_a_persons_own_editor_writes_where_no_command_can(terminal: Terminal, model: Model, daedal: Daedal):
    model([])
    editor = daedal.root / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "written in $1" > "$1"\n')
    editor.chmod(0o700)
    screen = ready(terminal(EDITOR=str(editor), columns=300))
    screen.press("ctrl+g")
    screen.until(f"written in {daedal.home}/.daedal/drafts/")


def test_commands_and_the_chat_agree_on_what_steers():
    is_surrogate = range(0xD800, 0xE000)
    assert {code for code in TABLE if code > 127 and code not in is_surrogate} == set(STEERING)
