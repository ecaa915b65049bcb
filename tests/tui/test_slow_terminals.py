"""Does a terminal that takes nothing keep the engine waiting?"""

from collections.abc import Callable

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import answered, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]
MUCH = "\n\n".join(f"paragraph {number} of many" for number in range(3000))
"""More than a terminal takes while nobody reads from it."""


def test_a_terminal_that_nobody_reads_keeps_no_engine_waiting(terminal: Terminal, model: Model, daedal: Daedal):
    server = model([say(MUCH) + call("Write", file_path="made.txt", content="made"), say("And done.")])
    screen = ready(terminal("--approval", "yolo"), "approval yolo")
    screen.type("go\r")
    # Nothing is read from the terminal here, while the model is asked a second time after its call.
    server.wait_for_requests(2)
    assert (daedal.workspace / "made.txt").read_text() == "made"
    answered(screen, "And done.")
    assert "paragraph 2999 of many" in screen.scrollback
