"""Does the terminal obey nobody but us? Whatever steers becomes text."""

from collections.abc import Callable

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import answered, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


def test_escape_sequences_from_a_model_are_shown(terminal: Terminal, model: Model):
    model([say("before \x1b[2Jafter \x1b]0;title\x07 \x9b31m \u202egnp.exe `\x1b[31m`\n\n```\n\x1b[5mblink\n```\n")])
    screen = terminal("do it now")
    answered(screen, "blink")
    assert "before ␛[2Jafter ␛]0;title␇ <U+009B>31m <U+202E>gnp.exe ␛[31m" in screen.text
    raw = bytes(screen.raw)
    for evil in (b"\x1b[2Ja", b"\x1b]0;", "\x9b".encode(), "\u202e".encode(), b"\x1b[5m"):
        assert evil not in raw


def test_escape_sequences_in_the_output_of_a_command_are_shown(terminal: Terminal, model: Model, daedal: Daedal):
    (daedal.workspace / "evil.txt").write_bytes(b"\x1b[2J\x1b]52;c;aGk=\x07\x1b[999Bend\r\n")
    model([call("Bash", command="cat evil.txt; false"), say("Seen.")])
    screen = terminal("show me evil", "--approval", "yolo")
    answered(screen, "Seen.")
    assert "␛[2J␛]52;c;aGk=␇␛[999Bend" in screen.text
    assert b"\x1b]52" not in bytes(screen.raw)


def test_wide_and_right_to_left_letters_keep_the_layout(terminal: Terminal, model: Model):
    model([say("日本語の文章" * 20 + "\n\nשלום עולם\n\n| 名 | b |\n|---|---|\n| 値 | x |\n")])
    screen = terminal("speak to me", columns=60)
    ready(screen.until("שלום"))
    screen.type("漢字ab")
    screen.until("ab").press("left", "left", "backspace")
    screen.until(lambda screen: "字" not in screen.lines[screen.cursor[0]])
    row = screen.lines[screen.cursor[0]]
    assert row.replace(" ", "").startswith("›漢ab")
    assert screen.cursor[1] == 4
