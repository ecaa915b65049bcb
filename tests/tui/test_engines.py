"""Does the chat work with another engine behind it, and say once what that one cannot do?"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.guests.conftest import claude, codex, guest
from tests.guests.dialects import Dialect
from tests.toolbox.model_replies import say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import answered, ready

__all__ = ["claude", "codex", "guest"]

Model = Callable[..., ModelServer]


@pytest.fixture
def seat(guest: Dialect) -> Iterator[Callable[..., Screen]]:
    """The chat in a terminal, with the guest."""
    with ExitStack() as stack:

        def start(*words: str) -> Screen:
            daedal = guest.daedal
            environment = daedal.environment(TERM="xterm-256color")
            argv = [*daedal.program, *guest.flags, *words]
            return stack.enter_context(Screen(argv, env=environment, cwd=daedal.workspace, columns=100, rows=30))

        yield start


@requirement("DX-10", "DX-11", "RX-13")
def test_a_guest_asks_is_answered_and_goes_on_another_day(guest: Dialect, seat: Callable[..., Screen], model: Model):
    model([guest.run("touch made"), say("It is made."), say("I remember.")])
    screen = seat()
    ready(screen).type("make it\r")
    screen.until("touch made").until("May it?").press("y")
    answered(screen, "It is made.")
    assert (guest.daedal.workspace / "made").exists()
    assert screen.scrollback.count("what it cannot do here") == 1
    screen.press("ctrl+d")
    screen.ended()
    again = seat("--continue")
    ready(again.until("It is made.")).type("do you remember?\r")
    answered(again, "I remember.")
