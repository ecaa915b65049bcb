"""How does a command wait for something that the engine tells? By a future for the first event that fits."""

import asyncio
from collections.abc import Callable
from typing import Any

from daedal.tui.view import View


def heard(view: View, fits: Callable[[Any], bool]) -> asyncio.Future[Any]:
    """Asked for before what brings the event about; whoever gives up cancels it."""
    waited: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def listen(event: Any) -> None:
        if not waited.done() and fits(event):
            waited.set_result(event)

    view.listeners.append(listen)
    waited.add_done_callback(lambda _: view.listeners.remove(listen))
    return waited
