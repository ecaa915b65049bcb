"""Can the engine run elsewhere, and go away?"""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.toolbox.model_replies import say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Server
from tests.tui.screen import Screen
from tests.tui.sitting import answered, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


@contextmanager
def app_server(daedal: Daedal, path: Path) -> Iterator[subprocess.Popen[bytes]]:
    server = daedal.start("app-server", "--listen", f"unix://{path}")
    assert server.stderr is not None
    assert b"unix://" in server.stderr.readline()
    try:
        yield server
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
        if server.stdout is not None:
            server.stdout.close()


def test_a_server_that_dies_under_the_chat_takes_nothing_that_was_typed(
    terminal: Terminal, model: Model, daedal: Daedal
):
    model([say("From afar."), say("Again from afar.")])
    path = daedal.root / "s"
    with app_server(daedal, path) as server:
        screen = ready(terminal("--connect", f"unix://{path}"))
        screen.type("hello\r")
        answered(screen, "From afar.")
        screen.type("half a thought")
        screen.until("› half a thought")
        server.send_signal(signal.SIGKILL)
        screen.until("the server is gone").until("Look for the server again?")
    with app_server(daedal, path):
        screen.until(lambda screen: "half a thought" not in screen.text).press("r")
        screen.until("connected again").until("› half a thought").press("enter")
        answered(screen, "Again from afar.")


def test_a_server_that_is_not_there_is_said_in_a_sentence(terminal: Terminal, model: Model, daedal: Daedal):
    model([])
    screen = terminal("--connect", f"unix://{daedal.root}/nobody")
    assert screen.ended() == 1
    assert "error: " in screen.text
    assert "nobody" in screen.text


def test_a_server_behind_a_token_is_talked_to_with_it_and_not_without(terminal: Terminal, model: Model, daedal: Daedal):
    model([say("From behind the token.")])
    token = daedal.root / "token"
    token.write_text("a-long-enough-token-for-anybody-0123456789")
    with Server(daedal, "ws://127.0.0.1:0", "--token-file", str(token)) as server:
        screen = ready(terminal("--connect", server.address, "--token-file", str(token)))
        screen.type("hello\r")
        answered(screen, "From behind the token.")
        token.write_text("another-token-which-is-long-enough-0123456789")
        refused = terminal("--connect", server.address, "--token-file", str(token))
        assert refused.ended() == 1
        assert "error: " in refused.text
