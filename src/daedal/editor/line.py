"""Which way leads to the editor? One for all sessions: what is said in order, and who is asked."""

from contextlib import suppress
from typing import Any

from daedal.editor.outbox import Outbox


class Line:
    """The way to the editor, which all sessions share."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox = outbox
        self.editor: Any = None
        """The library's connection, once there is one."""
        self.has_forms = False

    async def send(self, session_id: str, update: Any) -> None:
        """To an editor that has left, nothing is said."""
        with suppress(ConnectionError):
            await self.editor.session_update(session_id, update)
