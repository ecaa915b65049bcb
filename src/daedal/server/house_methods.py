"""What can a client do about the house? Write settings and rules, trust, mend memories, look after servers."""

from collections.abc import Awaitable, Callable
from typing import Any

from daedal.protocol.housekeeping import (
    Housekeeping,
    MemoryListParams,
    MemoryParams,
    MemoryWriteParams,
    RuleWhyParams,
    RuleWriteParams,
    ServerAcceptParams,
    ServerLoginResponse,
    ServerParams,
    SettingWriteParams,
    TrustWriteParams,
    UsageReadParams,
)
from daedal.protocol.inventory import FolderParams
from daedal.server.roles import Caller

Method = Callable[[Housekeeping, Caller, Any], Awaitable[Any]]


async def _log_in(house: Housekeeping, remote: Caller, params: ServerParams) -> ServerLoginResponse:
    begun = await house.start_server_login(params)

    async def finish() -> None:
        remote.board.announce(await house.finish_server_login(params.name))

    remote.owned(finish())
    return begun


HOUSE_METHODS: dict[str, tuple[type[Any], Method]] = {
    "setting/write": (SettingWriteParams, lambda house, _, params: house.write_setting(params)),
    "permission/write": (RuleWriteParams, lambda house, _, params: house.write_rule(params)),
    "permission/why": (RuleWhyParams, lambda house, _, params: house.explain_call(params)),
    "trust/read": (FolderParams, lambda house, _, params: house.read_trust(params)),
    "trust/write": (TrustWriteParams, lambda house, _, params: house.write_trust(params)),
    "memory/list": (MemoryListParams, lambda house, _, params: house.list_memories(params)),
    "memory/read": (MemoryParams, lambda house, _, params: house.read_memory(params)),
    "memory/write": (MemoryWriteParams, lambda house, _, params: house.write_memory(params)),
    "memory/forget": (MemoryParams, lambda house, _, params: house.forget_memory(params)),
    "thread/usage/read": (UsageReadParams, lambda house, _, params: house.read_usage(params)),
    "doctor/run": (FolderParams, lambda house, _, params: house.examine(params)),
    "mcpServer/changes": (ServerParams, lambda house, _, params: house.server_changes(params)),
    "mcpServer/accept": (ServerAcceptParams, lambda house, _, params: house.accept_changes(params)),
    "mcpServer/reconnect": (ServerParams, lambda house, _, params: house.reconnect(params)),
    "mcpServer/oauth/login": (ServerParams, _log_in),
}
