"""Who works in a delivery's sessions? An engine that is opened afresh for each, and ends with it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from daedal.cli.absence import decline
from daedal.cli.console import Console
from daedal.cli.streams import warn
from daedal.delivery import Open

if TYPE_CHECKING:
    from daedal.app import HouseOptions
    from daedal.client import Client
    from daedal.protocol.wire import Notification


def opener(house: "Callable[[], HouseOptions]", console: Console) -> Open:
    """`house` says for each session what it is opened with."""
    said: set[str] = set()

    def on_warning(message: str) -> None:
        # Each session starts anew and would say it again.
        if message not in said:
            said.add(message)
            console.clear()
            warn(message)

    @asynccontextmanager
    async def open_engine(on_event: "Callable[[Notification], None]") -> "AsyncGenerator[Client]":
        from daedal.app import open_house

        async with open_house(house(), on_event=on_event, on_request=decline, on_warning=on_warning) as client:
            yield client

    return open_engine
