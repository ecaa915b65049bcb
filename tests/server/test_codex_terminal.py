"""Does a client that was written for Codex work? Codex's own terminal, with `daedal app-server` behind it."""

import os
from pathlib import Path

import pytest

from bench.peers import find_peer
from tests.server.codex_talk import talk
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.screen import Screen
from tests.toolbox.wire_client import Server

READY = "Ask Codex"
TOKEN = "a-token-of-the-test-0123456789"


@pytest.fixture
def codex() -> str:
    program = find_peer("codex")
    if program is None:
        pytest.skip("the real codex is not here: ./dev installs it where Node is")
    return program


def terminal(daedal: Daedal, codex: str, address: str, *more: str) -> Screen:
    """It has a home of its own, and no key: whoever pays for the model is the server's business."""
    home = daedal.root / "codex-home"
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text("check_for_update_on_startup = false\n[analytics]\nenabled = false\n")
    env = {
        "PATH": f"{Path(codex).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(daedal.root),
        "CODEX_HOME": str(home),
        "TERM": "xterm-256color",
        "THE_TOKEN": TOKEN,
    }
    command = [codex, "--remote", address, "--remote-auth-token-env", "THE_TOKEN", *more]
    return Screen(command, env=env, cwd=daedal.workspace)


def enter(screen: Screen, text: str) -> None:
    """Typed, seen, and only then sent: what arrives in one piece counts as pasted."""
    screen.type(text)
    screen.wait_for(text)
    screen.type("\r")


@requirement("FA-01", "DX-10")
def test_codexs_own_terminal_talks_runs_commands_and_changes_files(daedal: Daedal, codex: str, model, tmp_path: Path):
    model(
        talk(
            say("Hello from the other side."),
            call("Bash", command="echo made > made.txt; echo 'and said so'"),
            say("It ran."),
            call("Write", file_path=str(daedal.workspace / "b.txt"), content="one\ntwo\n"),
            say("It is written."),
            stall(after=4),
        )
    )
    token = tmp_path / "token"
    token.write_text(TOKEN)
    with (
        Server(daedal, "ws://127.0.0.1:0", "--token-file", str(token)) as server,
        terminal(daedal, codex, server.address, "-s", "workspace-write", "-a", "on-request") as screen,
    ):
        screen.wait_for(READY)
        enter(screen, "Say hello")
        assert "failed" not in screen.wait_for("Hello from the other side.")
        enter(screen, "Run it")
        asked = screen.wait_for("Would you like to run the following command?")
        assert "$ echo made > made.txt; echo 'and said so'" in asked
        assert not (daedal.workspace / "made.txt").exists()
        screen.type("y")
        screen.wait_for("It ran.")
        assert (daedal.workspace / "made.txt").read_text() == "made\n"
        enter(screen, "Write it")
        asked = screen.wait_for("Would you like to make the following edits?")
        assert "(+2 -0)" in asked, asked
        screen.type("y")
        screen.wait_for("It is written.")
        assert (daedal.workspace / "b.txt").read_text() == "one\ntwo\n"
        enter(screen, "Go on and on")
        screen.wait_for("half a s")
        screen.type("\x1b")
        screen.wait_for("onversation interrupted")
    assert daedal.rows("SELECT status FROM turns WHERE status != 'completed'") == [("interrupted",)]
    shown = daedal("sessions", "list", "--json").json
    assert [session["preview"] for session in shown] == ["Say hello"]
