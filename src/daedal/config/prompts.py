"""What does a prompt become before the model sees it? A custom command its words, a reference what it refers to.

A plain prompt, which most are, costs two looks at its characters here: the rest is loaded when something is to be done.
"""

import asyncio
import os
from collections.abc import Callable, Sequence

from daedal.protocol.prompts import (
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.seams import Prepared

Rules = Callable[[str, Sequence[str]], Callable[[str], bool]]


def nothing_denied(workspace: str, deny: Sequence[str]) -> Callable[[str], bool]:
    del workspace, deny
    return lambda _: False


class FilePrompts:
    """The `Prompts` seam over the file system. For what a person typed: a reference in it reads by their word."""

    def __init__(self, closed: Callable[[], Sequence[str]], rules: Rules = nothing_denied) -> None:
        """`closed` names files and folders that no reference may reach: saved keys, the ledger.

        `rules` makes, for a workspace and the thread's own deny rules, what tells whether a file may be read.
        """
        self._closed = closed
        self._rules = rules

    async def prepare(self, text: str, *, workspace: str, cwd: str, deny: Sequence[str] = ()) -> Prepared:
        """Raises UsageError where it begins like a command and there is no such command."""
        if not text.startswith("/") and "@" not in text:
            return Prepared(text=text)
        from daedal.config.preparing import is_plain, prepared

        if is_plain(text):
            return Prepared(text=text)
        # Folders may be slow, or far away.
        is_denied = self._rules(workspace, deny)
        closed = self._closed()
        return await asyncio.to_thread(prepared, text, workspace=workspace, cwd=cwd, closed=closed, is_denied=is_denied)

    def commands(self, params: CommandListParams) -> CommandListResponse:
        from daedal.config.command_folders import command_folders
        from daedal.config.commands import listed

        return listed(command_folders(params.cwd or os.getcwd()))

    def complete(self, params: ReferenceCompleteParams) -> ReferenceCompleteResponse:
        """One level of a folder, never a walk."""
        from daedal.config.completion import complete

        return complete(params.prefix, params.cwd or os.getcwd())
