"""What does the room need from the program around it? A way to open an engine for a folder, and on which terms."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from msgspec import Struct

from daedal.client import Client
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.wire import Notification, Request


class Opening(Protocol):
    """Opens an engine by the settings of a folder; leaving it ends what still runs there.

    `servers` are MCP servers beside those of the settings, as entries of `plugins`.
    """

    def __call__(
        self,
        folder: str,
        *,
        servers: Sequence[dict[str, Any]] = (),
        on_event: Callable[[Notification], None],
        on_request: Callable[[Request], Awaitable[Any]],
        on_warning: Callable[[str], None],
    ) -> AbstractAsyncContextManager[Client]: ...


class Program(Struct, frozen=True, kw_only=True):
    open: Opening
    has_models: bool = True
    """Whether a session's model is ours to choose."""
    thread: ThreadStartParams = ThreadStartParams()
    """What the command line says about every thread."""
