"""What is a thread equipped with? Its tools, and the worlds behind some of them: agents, skills, memories."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from daedal.app.agents import HouseAgents, HouseSkills
from daedal.app.scratch import Scratch
from daedal.app.startup import Startup
from daedal.engine import Delegation, Terms
from daedal.protocol.seams import Toolbox
from daedal.sandbox import ProcessSpawner
from daedal.tools import Worlds, builtin_tools

if TYPE_CHECKING:
    from daedal.app.lending import Lender
    from daedal.app.serving import Served
    from daedal.engine import Report
    from daedal.protocol.confinement import Confinement
    from daedal.tools import Web


class Equipment:
    """Makes the tools of each thread of one house."""

    def __init__(
        self,
        startup: Startup,
        spawner: ProcessSpawner,
        scratch: Scratch,
        *,
        delegate: Callable[[str, Delegation], Awaitable["Report"]],
        servers: "Served | None" = None,
    ) -> None:
        """`delegate` has a sub-agent work for a thread; `servers` lend tools to every one."""
        self._servers = servers
        self._startup = startup
        self._spawner = spawner
        self._scratch = scratch
        self._delegate = delegate
        self._lenders: dict[str, Lender] = {}
        """By thread, until its toolbox is made."""

    async def meet(self, terms: Terms) -> None:
        """Reaches the servers that a thread brings along."""
        if terms.mcp_servers:
            from daedal.app.lending import Lender

            self._lenders[terms.thread_id] = await Lender.reached(terms, self._spawner, self._scratch.folder())

    def toolbox(self, terms: Terms) -> Toolbox:
        tools = self._toolbox(terms)
        lender = self._lenders.pop(terms.thread_id, None)
        return tools if lender is None else lender.beside(tools)

    def _toolbox(self, terms: Terms) -> Toolbox:
        startup = self._startup
        if terms.allow or terms.deny:
            from daedal.app.gating import flag_rules

            flag_rules([*terms.allow, *terms.deny])  # a mistake to hear about before anything is asked

        def walls() -> "Confinement":
            from daedal.app.gating import walls_of

            return walls_of(startup, terms)

        def web() -> "Web":
            from daedal.app.web import HouseWeb

            return HouseWeb(startup, terms.provider, terms.model_id)

        own = builtin_tools(
            startup.settings.tools,
            self._spawner,
            confinement=walls,
            scratch_dir=self._scratch.folder,
            hidden=startup.ledger.files(),
            web=web,
            keep_tasks=terms.keep_tasks,
            worlds=self._worlds(terms),
        )
        if self._servers is None:
            return own
        from daedal.app.served_tools import ServedToolbox

        return ServedToolbox(own, self._servers.servers, self._servers.callers)

    def _worlds(self, terms: Terms) -> Worlds:
        agents = HouseAgents(self._startup, terms.workspace, self._delegate)
        ledger = self._startup.ledger
        return Worlds(
            agents=agents,
            skills=HouseSkills(self._startup, terms.workspace, agents),
            memories=lambda: ledger.memories,
            history=lambda: ledger.history,
            **self._lent(),
        )

    def _lent(self) -> dict[str, Any]:
        """What servers add to the worlds."""
        if self._servers is None:
            return {}
        from daedal.app.served_tools import ServedResources

        servers = self._servers.servers
        return {"resources": ServedResources(servers), "tools": servers.specs}
