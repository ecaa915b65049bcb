"""What does the room need from the program around it? A way to open an engine for a folder, and on which terms."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from msgspec import Struct

from daedal.client import Client
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.wire import Notification, Request


class Opening(Protocol):
    """Opens an engine by the settings of a folder; leaving it ends what still runs there."""

    def __call__(
        self,
        folder: str,
        *,
        on_event: Callable[[Notification], None],
        on_request: Callable[[Request], Awaitable[Any]],
        on_warning: Callable[[str], None],
    ) -> AbstractAsyncContextManager[Client]: ...


class Program(Struct, frozen=True, kw_only=True):
    open: Opening
    mode_of: Callable[[str], str]
    """Which permission mode the settings of a folder choose."""
    thread: ThreadStartParams = ThreadStartParams()
    """What the command line says about every thread."""
