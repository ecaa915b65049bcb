"""Which methods are there, and what does each call? The table of the protocol's surface."""

import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from daedal import __version__
from daedal.config import home
from daedal.protocol.prompts import CommandListParams, ReferenceCompleteParams
from daedal.protocol.service import Engine
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadReadParams,
    ThreadResumeParams,
    ThreadStartParams,
    ToolCallParams,
    ToolListParams,
)
from daedal.protocol.turns import TurnContinueParams, TurnInterruptParams, TurnStartParams
from daedal.protocol.wire import InitializeParams, InitializeResponse, Nothing, Request


class UnknownMethod(Exception):
    pass


class InvalidParams(Exception):
    pass


async def _initialize(engine: Engine, params: InitializeParams) -> InitializeResponse:
    del engine
    return InitializeResponse(
        user_agent=f"{params.client_info.name} daedal/{__version__}",
        codex_home=home(),
        platform_family="unix" if os.name == "posix" else os.name,
        platform_os=sys.platform,
    )


async def _interrupt(engine: Engine, params: TurnInterruptParams) -> Nothing:
    await engine.interrupt_turn(params)
    return Nothing()


METHODS: dict[str, tuple[type[Any], Callable[[Engine, Any], Awaitable[Any]]]] = {
    "initialize": (InitializeParams, _initialize),
    "thread/start": (ThreadStartParams, lambda engine, params: engine.start_thread(params)),
    "thread/resume": (ThreadResumeParams, lambda engine, params: engine.resume_thread(params)),
    "thread/read": (ThreadReadParams, lambda engine, params: engine.read_thread(params)),
    "thread/list": (ThreadListParams, lambda engine, params: engine.list_threads(params)),
    "thread/settings/update": (
        ThreadSettingsUpdateParams,
        lambda engine, params: engine.update_settings(params),
    ),
    "thread/toolCall": (ToolCallParams, lambda engine, params: engine.call_tool(params)),
    "tool/list": (ToolListParams, lambda engine, params: engine.list_tools(params)),
    "command/list": (CommandListParams, lambda engine, params: engine.list_commands(params)),
    "reference/complete": (ReferenceCompleteParams, lambda engine, params: engine.complete_reference(params)),
    "turn/start": (TurnStartParams, lambda engine, params: engine.start_turn(params)),
    "turn/continue": (TurnContinueParams, lambda engine, params: engine.continue_turn(params)),
    "turn/interrupt": (TurnInterruptParams, _interrupt),
}


async def dispatch(engine: Engine, request: Request) -> Any:
    entry = METHODS.get(request.method)
    if entry is None and request.method.startswith("thread/goal/"):
        from daedal.server.goal_methods import GOAL_METHODS

        entry = GOAL_METHODS.get(request.method)
    if entry is None:
        from daedal.server.fold_methods import FOLD_METHODS

        entry = FOLD_METHODS.get(request.method)
    if entry is None:
        from daedal.server.hand_methods import HAND_METHODS

        entry = HAND_METHODS.get(request.method)
    if entry is None:
        raise UnknownMethod
    schema, method = entry
    params = request.params
    if not isinstance(params, schema):  # in process the struct itself arrives; over a wire, plain data
        try:
            params = msgspec.convert(params, schema)
        except msgspec.ValidationError as trouble:
            raise InvalidParams(str(trouble)) from trouble
    return await method(engine, params)
