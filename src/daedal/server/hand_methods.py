"""What can a person do in a thread beside talking? Run a command of their own, and go back to an earlier turn."""

from collections.abc import Awaitable, Callable
from typing import Any

from daedal.protocol.abilities import Rewinding, Shelling
from daedal.protocol.by_hand import ShellCommandParams, ShellCommandResponse
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.rewinding import (
    RewindListParams,
    RewindListResponse,
    RewindParams,
    RewindResponse,
    ThreadRevertParams,
)
from daedal.protocol.service import Engine
from daedal.protocol.threads import ThreadReadResponse


async def _shell_command(engine: Engine, params: ShellCommandParams) -> ShellCommandResponse:
    if not isinstance(engine, Shelling):
        raise UsageError(say("server.engine_cannot", what="thread/shellCommand"))
    return await engine.run_shell_command(params)


def _rewinding(engine: Engine) -> Rewinding:
    if isinstance(engine, Rewinding):
        return engine
    raise UsageError(say("server.engine_cannot", what="thread/rewind"))


async def _list(engine: Engine, params: RewindListParams) -> RewindListResponse:
    return await _rewinding(engine).list_rewinds(params)


async def _rewind(engine: Engine, params: RewindParams) -> RewindResponse:
    return await _rewinding(engine).rewind_thread(params)


async def _revert(engine: Engine, params: ThreadRevertParams) -> ThreadReadResponse:
    wanted = RewindParams(thread_id=params.thread_id, before_turn_id=params.before_turn_id, files=False)
    return ThreadReadResponse(thread=(await _rewinding(engine).rewind_thread(wanted)).thread)


HAND_METHODS: dict[str, tuple[type[Any], Callable[[Engine, Any], Awaitable[Any]]]] = {
    "thread/shellCommand": (ShellCommandParams, _shell_command),
    "thread/rewind/list": (RewindListParams, _list),
    "thread/rewind": (RewindParams, _rewind),
    "thread/revert": (ThreadRevertParams, _revert),
}
