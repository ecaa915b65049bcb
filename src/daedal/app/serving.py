"""Which MCP servers does a house have? Those of the settings and of a trusted project, kept from keys and ledger."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from daedal.app.credentials import secret_names
from daedal.app.served_tools import Callers
from daedal.app.settings import Settings
from daedal.app.startup import Startup
from daedal.config import home
from daedal.engine import Elicitation
from daedal.mcp import Asked, McpServers, Replied, gathered
from daedal.protocol.confinement import Confinement, Network
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ConfinedSpawner, ProcessSpawner

NOTICE_AFTER_S = 3.0
"""When somebody who waits is told for whom."""
KNOWN_AFTER_S = 1.0
"""When the others start, unless one of their tools is called before: a short run then pays for none of them."""


class Served(Struct, frozen=True):
    servers: McpServers
    callers: Callers


Elicited = Callable[[str, Elicitation], Awaitable[Replied]]
"""The person of a thread is asked for a server."""


def servers_of(
    startup: Startup,
    spawner: ProcessSpawner,
    workspace: str,
    *,
    brought: Sequence[dict[str, Any]] = (),
    elicited: Elicited,
    progressed: Callable[[str, str, str], Awaitable[None]],
    warn: Callable[[str], None],
) -> Served:
    callers = Callers()
    names = secret_names(startup.settings)
    configs, warnings = gathered(
        startup.settings.plugins,
        origin=lambda index: startup.origin("plugins", index),
        brought=brought,
        schema=Settings,
        files=startup.files,
        user_variables=startup.credentials.environment(),
        child_environment=spawner.environment(),
        credential_names=names,
        call_timeout_s=startup.settings.tools.mcp_call_timeout_seconds,
    )
    for warning in warnings:
        warn(warning)

    async def elicit(asked: Asked) -> Replied:
        thread_id = callers.latest(asked.server)
        if thread_id is None:
            return Replied(action="decline")  # Nobody called it, so nobody is there whom it could ask.
        return await elicited(
            thread_id,
            Elicitation(
                mcp_server_name=asked.server,
                message=asked.message,
                mode=asked.mode,
                url=asked.url,
                elicitation_id=asked.elicitation_id,
                requested_schema=asked.requested_schema,
            ),
        )

    servers = McpServers(
        configs,
        elicit=elicit,
        on_progress=progressed,
        spawner=ServerGround(startup, spawner, workspace),
        workspace=workspace,
        home=home(),
        warn=warn,
        vouched=startup.effective.vouched,
        project_root=startup.files.root or workspace,
    )
    return Served(servers, callers)


class ServerGround:
    """Where servers run: they may do what the person may, but not read saved keys, logins or the ledger.

    Where nothing can enforce that they run as any other program of the person's. It is found out with the first server.
    """

    def __init__(self, startup: Startup, spawner: ProcessSpawner, workspace: str) -> None:
        self._startup = startup
        self._spawner = spawner
        self._workspace = workspace
        self._ground: ProcessSpawner | ConfinedSpawner | None = None

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return self._spawner.environment(extra)

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish:
        if self._ground is None:
            self._ground = self._walled()
        return await self._ground.feed(job, take)

    def _walled(self) -> ProcessSpawner | ConfinedSpawner:
        from daedal.app.gating import secret_files

        walls = self._spawner.within(
            Confinement(
                workspace=self._workspace,
                writable=["/"],
                unreadable=secret_files(self._startup),
                network=Network.ON,
            )
        )
        return walls if walls.stands() else self._spawner
