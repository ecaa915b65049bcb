"""What is there to choose from in the editor's menus? Earlier sessions, and commands that a prompt can begin with."""

import os
import time
from collections.abc import Iterable
from typing import Any

from acp.helpers import update_available_commands
from acp.schema import (
    AvailableCommand,
    AvailableCommandInput,
    AvailableCommandsUpdate,
    ListSessionsResponse,
    SessionInfo,
    UnstructuredCommandInput,
)

from daedal.client import CallFailed
from daedal.editor.errors import failed
from daedal.editor.program import Program
from daedal.protocol.errors import DaedalError
from daedal.protocol.prompts import CommandInfo
from daedal.protocol.threads import Thread, ThreadListParams
from daedal.protocol.wire import Notification, Request

SESSIONS_MAX = 200


async def sessions_of(program: Program, folder: str | None) -> ListSessionsResponse:
    """The newest first; of all folders where none is named. Raises RequestError."""
    try:
        async with program.open(
            folder or os.getcwd(), on_event=_ignore, on_request=_decline, on_warning=_ignore
        ) as client:
            found = await client.call("thread/list", ThreadListParams(limit=SESSIONS_MAX, cwd=folder))
    except (CallFailed, DaedalError) as trouble:
        raise failed(trouble) from trouble
    # A refused start and calls by hand are sessions too, but no conversations.
    return ListSessionsResponse(sessions=[_info(thread) for thread in found.data if thread.preview])


def commands_update(commands: Iterable[CommandInfo]) -> AvailableCommandsUpdate:
    return update_available_commands(_command(info) for info in commands)


def _info(thread: Thread) -> SessionInfo:
    updated_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(thread.updated_at))
    return SessionInfo(session_id=thread.id, cwd=thread.cwd, title=thread.preview, updated_at=updated_at)


def _command(info: CommandInfo) -> AvailableCommand:
    hint = info.argument_hint
    asked = AvailableCommandInput(root=UnstructuredCommandInput(hint=hint)) if hint else None
    return AvailableCommand(name=info.name, description=info.description or info.name, input=asked)


def _ignore(_: Notification | str) -> None:
    """Nothing happens there that anybody should hear of."""


async def _decline(_: Request) -> Any:
    return None
