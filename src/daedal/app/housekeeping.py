"""How does a face change the house? Settings, rules, trust, memories and servers, each by those who know how."""

import asyncio
from typing import TYPE_CHECKING

import msgspec

from daedal import __version__
from daedal.app.house_servers import HouseServers
from daedal.app.live_rules import LiveRules
from daedal.app.settings import Settings
from daedal.app.startup import Startup
from daedal.config import set_value, settings_files, unset
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.events import McpLoginCompleted
from daedal.protocol.housekeeping import (
    DoctorResponse,
    KeptMemory,
    MemoryListParams,
    MemoryListResponse,
    MemoryParams,
    MemoryWriteParams,
    ModelUsage,
    RuleWhyParams,
    RuleWhyResponse,
    RuleWriteParams,
    RuleWriteResponse,
    ServerAcceptParams,
    ServerAcceptResponse,
    ServerChangesResponse,
    ServerLoginResponse,
    ServerParams,
    ServerReconnectResponse,
    SettingWriteParams,
    SettingWriteResponse,
    TrustState,
    TrustWriteParams,
    UsageReadParams,
    UsageReadResponse,
)
from daedal.protocol.inventory import FolderParams

if TYPE_CHECKING:
    from daedal.ledger import StoredCall
    from daedal.mcp import McpServers


class HouseKeeper:
    """The `Housekeeping` of one house."""

    def __init__(self, startup: Startup, servers: "McpServers | None", live: LiveRules) -> None:
        self._startup = startup
        self._live = live
        self._servers = HouseServers(startup, servers)

    async def write_setting(self, params: SettingWriteParams) -> SettingWriteResponse:
        folder = self._startup.folder(params.cwd)
        file = settings_files(folder).to_change(folder, is_project=params.scope == "project")
        if params.value is None:
            await asyncio.to_thread(unset, file, params.key, Settings)
            return SettingWriteResponse(key=params.key, value=None, file=file)
        value = await asyncio.to_thread(set_value, file, params.key, params.value, Settings)
        return SettingWriteResponse(key=params.key, value=value, file=file)

    async def write_rule(self, params: RuleWriteParams) -> RuleWriteResponse:
        from daedal.app.rules import checked_rule, write_rule

        if params.scope == "session":
            if params.thread_id is None:
                raise UsageError(say("app.rules.no_session"))
            done = RuleWriteResponse(rule=checked_rule(params.rule), changed=True, file=None)
        else:
            done = write_rule(
                self._startup.folder(params.cwd),
                params.list,
                params.rule,
                is_project=params.scope == "project",
                remove=params.remove,
            )
        if done.changed:
            about = params.thread_id if params.scope == "session" else None
            self._live.change(about, params.list, done.rule, remove=params.remove)
        return done

    async def explain_call(self, params: RuleWhyParams) -> RuleWhyResponse:
        from daedal.app.rules import explained, folder_policy

        folder = self._startup.folder(params.cwd)
        policy = self._live.policy(params.thread_id) if params.thread_id is not None else None
        if policy is None:
            policy = folder_policy(self._startup.effective, folder)
            if params.thread_id is not None:
                policy.rules = self._live.changed(params.thread_id, policy.rules)
        return await asyncio.to_thread(explained, policy, params.call, params.input, folder)

    async def read_trust(self, params: FolderParams) -> TrustState:
        from daedal.app.trusting import folder_trust

        return await asyncio.to_thread(folder_trust, self._startup.folder(params.cwd))

    async def write_trust(self, params: TrustWriteParams) -> TrustState:
        from daedal.app.trusting import folder_trust, revoke_trust, trust_folder

        folder = self._startup.folder(params.cwd)
        if params.trusted:
            return await asyncio.to_thread(trust_folder, folder, params.seen)
        await asyncio.to_thread(revoke_trust, folder)
        return await asyncio.to_thread(folder_trust, folder)

    async def list_memories(self, params: MemoryListParams) -> MemoryListResponse:
        from daedal.app.memories import kept

        memories = self._startup.ledger.memories
        project = None if params.cwd is None else self._startup.folder(params.cwd)
        if params.query.strip():
            found = memories.search(params.query, project=project, limit=params.limit)
        else:
            found = memories.listed(project=project, limit=params.limit)
        return MemoryListResponse(data=[kept(memory) for memory in found])

    async def read_memory(self, params: MemoryParams) -> KeptMemory:
        from daedal.app.memories import kept

        return kept(self._startup.ledger.memories.find(params.id))

    async def write_memory(self, params: MemoryWriteParams) -> KeptMemory:
        from daedal.app.memories import corrected, kept, living

        memory = living(self._startup.ledger.memories.find(params.id))
        given = {"title": params.title, "content": params.content}
        changed = {name: value for name, value in given.items() if value is not None}
        return kept(await corrected(self._startup, memory.id, changed))

    async def forget_memory(self, params: MemoryParams) -> KeptMemory:
        from daedal.app.memories import kept, living

        memories = self._startup.ledger.memories
        memory = living(memories.find(params.id))
        await memories.forget(memory.id)
        return kept(memory)

    async def read_usage(self, params: UsageReadParams) -> UsageReadResponse:
        """Of the thread itself first, then of those that worked for it, each model once."""
        ledger = self._startup.ledger
        workers = ledger.workers(params.thread_id)
        own = [_used(calls, is_subagent=False) for calls in _by_model(ledger.calls(params.thread_id))]
        others = [call for worker in workers for call in ledger.calls(worker)]
        theirs = [_used(calls, is_subagent=True) for calls in _by_model(others)]
        return UsageReadResponse(thread_id=params.thread_id, data=[*own, *theirs], subagents=len(workers))

    async def examine(self, params: FolderParams) -> DoctorResponse:
        from daedal.app.doctor import examined

        return DoctorResponse(
            version=__version__, checks=await asyncio.to_thread(examined, self._startup.folder(params.cwd))
        )

    async def server_changes(self, params: ServerParams) -> ServerChangesResponse:
        return await self._servers.changes(params.name)

    async def accept_changes(self, params: ServerAcceptParams) -> ServerAcceptResponse:
        return ServerAcceptResponse(accepted=await self._servers.accept(params.name, params.digest))

    async def reconnect(self, params: ServerParams) -> ServerReconnectResponse:
        return await self._servers.reconnect(params.name)

    async def start_server_login(self, params: ServerParams) -> ServerLoginResponse:
        return await self._servers.start_login(params.name)

    async def finish_server_login(self, name: str) -> McpLoginCompleted:
        return await self._servers.finish_login(name)


def _by_model(calls: "list[StoredCall]") -> "list[list[StoredCall]]":
    found: dict[tuple[str, str], list[StoredCall]] = {}
    for call in calls:
        found.setdefault((call.provider, call.wire_model), []).append(call)
    return list(found.values())


def _used(calls: "list[StoredCall]", *, is_subagent: bool) -> ModelUsage:
    costs = [call.cost_usd for call in calls]
    counted = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens")
    plain = [msgspec.structs.asdict(call) for call in calls]
    return ModelUsage(
        provider=calls[0].provider,
        model=calls[0].wire_model,
        is_subagent=is_subagent,
        calls=len(calls),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        **{name: sum(call[name] for call in plain) for name in counted},
    )
