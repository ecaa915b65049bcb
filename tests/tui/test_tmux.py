"""Does it work in a real terminal? tmux keeps the screen; it breaks lines anew and has a second screen."""

import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.sitting import IDLE

DEADLINE_S = 60

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here")


class Tmux:
    """One window with a shell. tmux tells when something is written, so that nobody has to look in vain."""

    def __init__(self, folder: Path, env: dict[str, str], cwd: Path, columns: int, rows: int) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(folder / "tmux")]
        self._env = {**env, "TERM": "xterm-256color", "PS1": "$ ", "SHELL": "/bin/sh"}
        self._size = ["-x", str(columns), "-y", str(rows)]
        self._control = subprocess.Popen(
            [*self._tmux, "-C", "new-session", *self._size, "env PS1='$ ' sh -i"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._env,
            cwd=cwd,
        )
        self.resize(columns, rows)

    def _run(self, *words: str) -> str:
        done = subprocess.run([*self._tmux, *words], env=self._env, capture_output=True, text=True, timeout=DEADLINE_S)
        return done.stdout

    def resize(self, columns: int, rows: int) -> None:
        self._run("resize-window", "-x", str(columns), "-y", str(rows))

    def type(self, text: str) -> None:
        self._run("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    def scrollback(self) -> str:
        return self._run("capture-pane", "-p", "-S", "-")

    def until(self, fits: str | Callable[[str], bool]) -> str:
        told = self._control.stdout
        assert told is not None
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            screen = self.screen()
            if fits in screen if isinstance(fits, str) else fits(screen):
                return screen
            select.select([told], [], [], end - time.monotonic())
            assert os.read(told.fileno(), 65536), "tmux has ended"
        raise AssertionError(f"never shown: {fits!r}\n{self.screen()}")

    def close(self) -> None:
        self._run("kill-server")
        self._control.communicate(timeout=DEADLINE_S)


@pytest.fixture
def tmux(daedal: Daedal, tmp_path: Path) -> Iterator[Callable[..., Tmux]]:
    opened: list[Tmux] = []

    def start(columns: int = 80, rows: int = 24) -> Tmux:
        env = daedal.environment()
        env.pop("NO_COLOR")
        env.pop("TMUX", None)
        one = Tmux(tmp_path, env, daedal.workspace, columns, rows)
        opened.append(one)
        return one

    yield start
    for one in opened:
        one.close()


def daedal_in(daedal: Daedal) -> str:
    return " ".join(daedal.program)


def test_a_session_in_tmux_from_the_shell_and_back(
    tmux: Callable[..., Tmux], model: Callable[..., ModelServer], daedal: Daedal
):
    words = " ".join(f"word{number}" for number in range(60))
    model([call("Bash", command="seq 1 40"), say(f"Counted.\n\n{words}")])
    window = tmux()
    window.until("$")
    window.type(f"{daedal_in(daedal)} --approval yolo")
    window.press("Enter")
    window.until("claude-")
    window.type("count for me")
    window.press("Enter")
    window.until(lambda screen: "word59" in screen and IDLE in screen)
    window.press("C-o")
    window.until("│ 40")
    window.press("q")
    window.until(lambda screen: "│ 40" not in screen and IDLE in screen)
    for columns in (50, 120, 80):
        window.resize(columns, 24)
        window.until(lambda screen: screen.count(IDLE) == 1)
    window.press("C-z")
    window.until(lambda screen: IDLE not in screen and screen.rstrip().endswith("$"))
    window.type("fg")
    window.press("Enter")
    window.until(IDLE)
    window.type("draft")
    window.until("› draft")
    window.press("C-u", "C-d")
    window.until(lambda screen: "daedal resume" in screen and screen.rstrip().endswith("$"))
    said = window.scrollback()
    assert said.count("Counted.") == 1
    assert said.count("› count for me") == 1
    assert "word59" in said


def test_two_hundred_columns(tmux: Callable[..., Tmux], model: Callable[..., ModelServer], daedal: Daedal):
    model([say("Wide.")])
    window = tmux(200, 60)
    window.until("$")
    window.type(f"{daedal_in(daedal)} 'speak up please'")
    window.press("Enter")
    window.until(lambda screen: "Wide." in screen and IDLE in screen)
    window.press("C-d")
    window.until("daedal resume")
