"""What does the chat need from the program around it? An engine to talk to, and what needs a process of its own."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from daedal.client import Client
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.wire import Notification, Request


class Outside(Protocol):
    @property
    def thread(self) -> ThreadStartParams:
        """How a thread of this chat is started."""
        ...

    @property
    def is_remote(self) -> bool:
        """The engine runs in another process, which may end without us."""
        ...

    def connect(
        self,
        *,
        on_event: Callable[[Notification], None],
        on_request: Callable[[Request], Awaitable[Any]],
        on_warning: Callable[[str], None],
    ) -> AbstractAsyncContextManager[Client]:
        """A client that has said hello; leaving ends what it had opened."""
        ...

    async def edit(self, text: str) -> str | None:
        """In the person's own editor, which has the terminal meanwhile; None where there is none."""
        ...

    async def set_up(self) -> None:
        """`daedal setup`, which has the terminal meanwhile."""
        ...

    async def copy(self, text: str) -> str:
        """By a program for the clipboard: its name; empty where there is none."""
        ...

    async def branch(self, folder: str) -> str:
        """The branch of the folder, and how much is changed in it; empty where there is none."""
        ...
