"""What is there for a thread, for faces that list it? Skills, hooks, MCP servers, agents and rules in force."""

import asyncio
import hashlib
from typing import TYPE_CHECKING

from daedal.app.credentials import secret_names
from daedal.app.in_force import settings_at
from daedal.app.live_rules import LiveRules
from daedal.app.rules import listed_rules
from daedal.app.startup import Startup
from daedal.config import AgentTypes, SkillShelf, subagent_model_for
from daedal.hooks import Hook, load_hooks, total_order
from daedal.ledger import without_lookalikes
from daedal.permissions import compile_rules
from daedal.protocol.catalogue import say
from daedal.protocol.inventory import (
    AgentListResponse,
    FolderHooks,
    FolderParams,
    FolderSkills,
    FoldersParams,
    HookListResponse,
    ListedAgent,
    ListedHook,
    ListedRule,
    ListedServer,
    ListedSkill,
    ModeListResponse,
    ModeMask,
    Problem,
    RuleListResponse,
    ServerStatusParams,
    ServerStatusResponse,
    ServerTool,
    SkillListResponse,
)
from daedal.protocol.pages import length_of, offset_of
from daedal.protocol.redaction import Redactor

if TYPE_CHECKING:
    from daedal.mcp import McpServers, ServerStatus
    from daedal.permissions import RuleSet

CODEX_EVENTS = frozenset(
    {
        "preToolUse",
        "permissionRequest",
        "postToolUse",
        "preCompact",
        "postCompact",
        "sessionStart",
        "sessionEnd",
        "userPromptSubmit",
        "subagentStart",
        "subagentStop",
        "stop",
    }
)
RUNTIME = {
    "starting": "starting",
    "ready": "connected",
    "failed": "failed",
    "login_needed": "authenticationRequired",
    "closed": "cancelled",
}
"""How we say that a server is, and how Codex does."""


class HouseInventory:
    """Reads only. Files are looked at anew each time: somebody may just have written one."""

    def __init__(self, startup: Startup, servers: "McpServers | None", live: LiveRules) -> None:
        self._startup = startup
        self._servers = servers
        self._live = live

    async def list_skills(self, params: FoldersParams) -> SkillListResponse:
        folders = [self._startup.folder(cwd) for cwd in params.cwds or [None]]
        return SkillListResponse(data=[await asyncio.to_thread(self._skills, folder) for folder in folders])

    def _skills(self, folder: str) -> FolderSkills:
        found = SkillShelf(folder, self._startup.settings.skills).look()
        skills = [
            ListedSkill(
                name=info.name,
                description=info.description,
                path=info.path,
                scope="repo" if info.source == "project" else "user",
                argument_hint=info.argument_hint,
                runs_as_subagent=info.runs_as_subagent,
            )
            for info in found.skills
        ]
        return FolderSkills(cwd=folder, skills=skills, errors=[Problem(message=one, path="") for one in found.problems])

    async def list_hooks(self, params: FoldersParams) -> HookListResponse:
        """Those in force are the same for every thread of the house."""
        startup = self._startup
        loaded, invalid = load_hooks(startup.settings.hooks, lambda index: startup.origin("hooks", index))
        known = Redactor(startup.credentials.secrets(secret_names(startup.settings)))
        hooks = [_listed(hook, without_lookalikes(known(hook.command))) for hook in total_order(loaded)]
        shared = [hook for hook in hooks if hook.event_name in CODEX_EVENTS]
        further = [hook for hook in hooks if hook.event_name not in CODEX_EVENTS]
        folders = [self._startup.folder(cwd) for cwd in params.cwds or [None]]
        return HookListResponse(
            data=[FolderHooks(cwd=folder, hooks=shared, further=further, warnings=invalid) for folder in folders]
        )

    async def list_servers(self, params: ServerStatusParams) -> ServerStatusResponse:
        listed = [self._server(status) for status in self._servers.status()] if self._servers is not None else []
        offset = offset_of(params.cursor) or 0
        end = offset + length_of(params.limit, len(listed))
        return ServerStatusResponse(data=listed[offset:end], next_cursor=str(end) if end < len(listed) else None)

    def _server(self, status: "ServerStatus") -> ListedServer:
        assert self._servers is not None
        from daedal.mcp import tool_name

        named = [tool_name(status.slug, name) for name in status.tools]
        offered = [tool.spec for name in named if (tool := self._servers.get(name)) is not None]
        tools = {
            spec.name: ServerTool(name=spec.name, input_schema=spec.input_schema, description=spec.description)
            for spec in offered
        }
        return ListedServer(
            name=status.slug,
            auth_status="notLoggedIn" if status.state == "login_needed" else "unknown",
            runtime_status=RUNTIME[status.state],
            tools=tools,
            transport=status.transport,
            origin=status.origin,
            trouble=status.trouble,
            withheld=status.withheld,
            prompts=status.prompts,
            resource_count=status.resources,
        )

    async def list_agents(self, params: FolderParams) -> AgentListResponse:
        found = await asyncio.to_thread(AgentTypes(self._startup.folder(params.cwd)).look)
        settings = self._startup.settings.agent
        agents = [
            ListedAgent(
                name=one.name,
                description=one.description,
                source=one.source,
                path=one.path,
                model=subagent_model_for(
                    one.name, one.model, default=settings.subagent_model, by_name=settings.subagent_models
                )
                or "",
                tools=one.tools,
            )
            for one in found.types
        ]
        return AgentListResponse(data=agents, problems=found.problems)

    async def list_rules(self, params: FolderParams) -> RuleListResponse:
        """As the settings have them, or as they hold in a thread, with what was granted and lifted there."""
        found = self._startup.effective
        rules, _ = compile_rules(found.value.permissions, managed=found.managed.permissions if found.managed else None)
        listed = listed_rules(found)
        if params.thread_id is not None:
            policy = self._live.policy(params.thread_id)
            rules = self._live.changed(params.thread_id, rules) if policy is None else policy.rules
            listed = self._of_thread(rules, listed)
        return RuleListResponse(
            data=listed, default_mode=rules.effective_mode(), posture=rules.mode, managed_only=rules.managed_only
        )

    def _of_thread(self, rules: "RuleSet", begun: list[ListedRule]) -> list[ListedRule]:
        """Who wrote a rule is told by the files as they are now, then by those that the house began with."""
        now = listed_rules(settings_at(self._startup.folder(None), self._startup.ledger.snapshot))
        origins = {(row.list, row.rule): row.origin for row in (*begun, *now)}
        held = [
            ListedRule(
                list=behaviour,
                rule=rule.text,
                origin=origins.get((behaviour, rule.text))
                or say("app.rules.flag" if rule.source == "flag" else "app.rules.session"),
            )
            for behaviour in ("deny", "ask", "allow")
            for rule in rules.listed(behaviour)
        ]
        return [*held, *(row for row in begun if row.invalid is not None)]

    async def list_modes(self) -> ModeListResponse:
        return ModeListResponse(data=[ModeMask(name="Plan", mode="plan"), ModeMask(name="Default", mode="default")])


def _listed(hook: Hook, command: str) -> ListedHook:
    """`command` as it may be told: somebody may have written a key into it."""
    told = "\0".join(hook.identity)
    return ListedHook(
        key=f"{hook.source}#{hook.ordinal}",
        event_name=hook.event[0].lower() + hook.event[1:],
        command=command,
        display_order=hook.ordinal,
        source="user",
        source_path=hook.source,
        timeout_sec=int(hook.timeout_s or 0),
        matcher=hook.matcher or None,
        current_hash=hashlib.sha256(told.encode(errors="surrogateescape")).hexdigest(),
        required=hook.required,
    )
