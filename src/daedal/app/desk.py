"""How does a face in this process get the whole surface, with lookups, forks and settings? As any client would."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from daedal import __version__
from daedal.app.house import HouseOptions, open_engine
from daedal.app.lookups import HouseLookups
from daedal.client import Client, direct
from daedal.protocol.wire import Capabilities, ClientInfo, InitializeParams, Notification, Request
from daedal.server import Switchboard


@asynccontextmanager
async def open_desk(
    options: HouseOptions,
    *,
    name: str,
    on_event: Callable[[Notification], None],
    on_request: Callable[[Request], Awaitable[Any]],
    on_warning: Callable[[str], None],
) -> AsyncGenerator[Client]:
    """A client that has said hello. Leaving ends what still runs and closes the record."""
    board = Switchboard()
    async with open_engine(options, board, on_warning=on_warning) as house:
        near, far = direct()
        lookups = HouseLookups(house.startup, house.servers, house.rules)
        serving = asyncio.create_task(board.serve(house.engine, lookups, far))
        client = Client(near, on_event=on_event, on_request=on_request)
        try:
            hello = ClientInfo(name=name, version=__version__)
            await client.call("initialize", InitializeParams(client_info=hello, capabilities=Capabilities(daedal=True)))
            yield client
        finally:
            # Turns end first, while there is still somebody to tell.
            await house.engine.close()
            await client.close()
            serving.cancel()
            await asyncio.wait([serving])
