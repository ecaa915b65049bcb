"""What do tests share? The program, and a scripted model that it can talk to."""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal

# Whoever runs the tests in the background may ignore Ctrl-C. The programs that they start must not inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no mistake of ours: examples have no deadline each, tests have theirs.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("searching", deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Quick tests try the same examples every time, so that a change is judged by itself; long ones seek new ones."""
    settings.load_profile("steady" if config.getoption("markexpr") == "not long" else "searching")


@pytest.fixture
def daedal(tmp_path: Path) -> Daedal:
    return Daedal(tmp_path)


@pytest.fixture
def model(daedal: Daedal) -> Iterator[Callable[..., ModelServer]]:
    """Starts a scripted model and points the program at it: `model([say("Hello.")])`."""
    with ExitStack() as stack:

        def start(replies: object, **options: object) -> ModelServer:
            server = stack.enter_context(ModelServer(replies, **options))
            daedal.env.update(server.env())
            return server

        yield start
