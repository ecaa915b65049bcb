"""What do tests of the chat share? A terminal with the program in it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.toolbox.program import Daedal
from tests.tui.screen import Screen


@pytest.fixture
def terminal(daedal: Daedal) -> Iterator[Callable[..., Screen]]:
    """Starts the program in a terminal: `terminal("--continue", columns=80)`."""
    with ExitStack() as stack:

        def start(*words: str, columns: int = 100, rows: int = 30, typed: str = "", **env: str) -> Screen:
            environment = daedal.environment(**{"TERM": "xterm-256color", **env})
            if "NO_COLOR" not in env:
                environment.pop("NO_COLOR", None)
            argv = [*daedal.program, *words]
            screen = Screen(argv, env=environment, cwd=daedal.workspace, columns=columns, rows=rows, typed=typed)
            return stack.enter_context(screen)

        yield start
