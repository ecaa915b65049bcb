"""What does the program do for the chat? It opens the engine, starts the editor, and looks at the repository."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from typing import Any

from daedal.cli.options import Options, permissions_of
from daedal.cli.signals import Signals
from daedal.client import Client
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.wire import Notification, Request

NAME = "daedal-tui"
BRIEF_S = 0.001
"""So long another thread may keep keys waiting: the one that loads the engine, or what the first answer needs."""


class Surroundings:
    """An `Outside` of the chat."""

    def __init__(self, options: Options, signals: Signals | None = None) -> None:
        self._options = options
        self._signals = signals
        self.is_remote = bool(options.connect)
        self.thread = ThreadStartParams(
            cwd=options.cd, model=options.model, model_provider=options.provider, **permissions_of(options)
        )

    @asynccontextmanager
    async def connect(
        self,
        *,
        on_event: Callable[[Notification], None],
        on_request: Callable[[Request], Awaitable[Any]],
        on_warning: Callable[[str], None],
    ) -> AsyncGenerator[Client]:
        options = self._options
        if options.connect:
            from daedal.client import connect

            client = await connect(
                options.connect, name=NAME, token=_token(options), on_event=on_event, on_request=on_request
            )
            try:
                yield client
            finally:
                await client.close()
            return
        await _load()
        from daedal.app import HouseOptions, open_desk
        from daedal.cli.settings_folder import settings_folder

        house = HouseOptions(
            cwd=await settings_folder(options), engine=options.engine, record=options.record, replay=options.replay
        )
        async with open_desk(
            house, name=NAME, on_event=on_event, on_request=on_request, on_warning=on_warning
        ) as client:
            _settle()
            yield client

    async def edit(self, text: str) -> str | None:
        from daedal.cli.own_editor import edited

        with self._lent():
            return await edited(text)

    async def set_up(self) -> None:
        from daedal.sandbox import run_in_foreground

        with self._lent():
            await run_in_foreground([sys.executable, "-m", "daedal", "setup"])

    @contextmanager
    def _lent(self) -> Generator[None]:
        """Another program has the terminal."""
        if self._signals is not None:
            self._signals.is_lent = True
        try:
            yield
        finally:
            if self._signals is not None:
                self._signals.is_lent = False

    async def copy(self, text: str) -> str:
        from daedal.cli.clipboard import copied

        return await copied(text)

    async def branch(self, folder: str) -> str:
        from daedal.cli.branch import branch_of

        return await branch_of(folder)


def _token(options: Options) -> str:
    from daedal.config import home
    from daedal.server import token_in

    if not options.connect.startswith("ws"):
        return ""
    return token_in(options.token_file or os.path.join(home(), "app-server.token"))


async def _load() -> None:
    """In another thread, so that whoever types meanwhile sees it at once."""
    sys.setswitchinterval(BRIEF_S)
    await asyncio.to_thread(_import)


def _import() -> None:
    for name in ("daedal.app.desk", "daedal.cli.settings_folder"):
        import_module(name)


def _settle() -> None:
    """What is loaded stays: the collector need not look at it again."""
    import gc

    gc.freeze()
    gc.enable()
