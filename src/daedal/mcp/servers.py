"""Which servers does a session have? All of them, started in the background, with their tools, prompts and resources.

    servers = McpServers(configs, spawner=spawner, workspace=folder, home=home())
    servers.start()                     # comes back at once
    servers.tools()                     # what is known now: what earlier sessions met, and who is ready
    await servers.settled(timeout_s=5)  # for somebody who would rather wait
    await servers.close()

`app` plugs it into a thread's toolbox; the SDK is loaded by the first server that starts, in a thread of its own.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from daedal.config import changed_script
from daedal.mcp.approvals import Approvals
from daedal.mcp.definitions import Difference
from daedal.mcp.elicitation import Elicit, declined
from daedal.mcp.entries import ServerConfig
from daedal.mcp.link import START_S, Link
from daedal.mcp.names import distinct, tool_name
from daedal.mcp.offers import Prompt, Resource, ResourcePart
from daedal.mcp.prompts import prompt_text
from daedal.mcp.status import ServerState, ServerStatus
from daedal.mcp.tokens import Tokens
from daedal.mcp.tool import McpTool, OnProgress
from daedal.mcp.trouble import Broken, Trouble
from daedal.protocol.catalogue import say
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Finish, Job

if TYPE_CHECKING:
    from daedal.mcp.connection import Connection


class Spawner(Protocol):
    """What starts processes, within walls or without."""

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]: ...

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish: ...


class McpServers:
    def __init__(
        self,
        configs: Sequence[ServerConfig],
        *,
        spawner: Spawner,
        workspace: str,
        home: str,
        elicit: Elicit = declined,
        on_progress: OnProgress | None = None,
        on_message: Callable[[str, str, str], None] = lambda _slug, _level, _text: None,
        on_change: Callable[[str], None] = lambda _: None,
        warn: Callable[[str], None] = lambda _: None,
        vouched: Mapping[str, str] | None = None,
        project_root: str = "",
        start_s: float = START_S,
    ) -> None:
        """`elicit` asks the person for a server; by default every question is declined.

        `on_message` gets a server's slug, a level and a text; `on_change` the slug of a server that offers something
        else now; `warn` sentences for the person. `vouched` and `project_root` say which scripts of a trusted project
        may run, and how they looked when it was trusted.
        """
        self._spawner = spawner
        self._workspace = workspace
        self._home = home
        self._on_progress = on_progress
        self._on_message = on_message
        self._on_change = on_change
        self._warn = warn
        self._vouched = vouched or {}
        self._project_root = project_root
        self._links = {
            config.slug: Link(
                config,
                Approvals(home, config),
                self._open,
                elicit=elicit,
                on_change=self._changed,
                on_trouble=self._troubled,
                start_s=start_s,
            )
            for config in configs
        }
        self._tools: dict[str, McpTool] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def start(self, *, known_after_s: float = 0.0) -> None:
        """Comes back at once. Servers that an earlier session has met may start later, or when they are first needed.

        A short session that needs none of their tools then pays for none of them.
        """
        later: list[Link] = []
        for link in self._links.values():
            if known_after_s and link.stock.is_known:
                later.append(link)
            else:
                link.start()
        if later:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(known_after_s, lambda: [link.start() for link in later])

    async def settled(self, timeout_s: float, *, strangers_only: bool = False) -> None:
        """Waits until every server is ready or has failed, but not longer.

        With `strangers_only` it waits only for servers that no session has met yet: of the others it is known what they
        offer, and a call waits for them by itself.
        """
        waiting = [link.settled() for link in self._links.values() if not (strangers_only and link.stock.is_known)]
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.gather(*waiting)
        except TimeoutError:
            pass

    def unmet(self) -> list[str]:
        """Those that have neither come nor failed, and of which no session knows what they offer."""
        return [
            slug
            for slug, link in self._links.items()
            if not link.stock.is_known and link.status().state is ServerState.STARTING
        ]

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*(link.close() for link in self._links.values()))

    def status(self) -> list[ServerStatus]:
        return [link.status() for link in self._links.values()]

    def specs(self) -> list[ToolSpec]:
        return [tool.spec for tool in self.tools()]

    def tools(self) -> list[McpTool]:
        return list(self._by_name().values())

    def get(self, name: str) -> McpTool | None:
        return self._by_name().get(name)

    def trusted_read_only(self) -> list[str]:
        """Full names of the tools that the user knows to change nothing, connected or not."""
        return [tool_name(slug, raw) for slug, link in self._links.items() for raw in link.config.trusted_read_only]

    def differences(self, server: str) -> list[Difference]:
        """What is held back, beside what was accepted under that name. Raises Trouble."""
        return self._link(server).stock.differences()

    def accept(self, server: str) -> None:
        """All that the server offers now. Raises Trouble or ConfigurationError."""
        self._link(server).accept()

    async def reconnect(self, server: str) -> None:
        """Starts it anew and waits until it is ready or has failed. Raises Trouble."""
        await self._link(server).restart()

    def config(self, server: str) -> ServerConfig:
        """Raises Trouble."""
        return self._link(server).config

    def secrets(self) -> list[tuple[str, str]]:
        """Variables that were filled into headers, or are called like a credential, with their values."""
        return [secret for link in self._links.values() for secret in link.config.secrets]

    def prompts(self) -> list[Prompt]:
        """What is known now, for menus."""
        return [prompt for link in self._links.values() for prompt in link.stock.prompts]

    async def prompt(self, command: str, arguments: Sequence[str]) -> str:
        """The text that a slash command stands for; arguments by position. Waits for its server. Raises Trouble."""
        link = next((link for slug, link in self._links.items() if command.startswith(f"mcp__{slug}__")), None)
        offered = [] if link is None else await link.known_prompts()
        prompt = next((prompt for prompt in offered if prompt.command == command), None)
        if prompt is None:
            raise Trouble(f"no MCP server offers the prompt {command}")
        names = [argument.name for argument in prompt.arguments]
        given = dict(zip(names, arguments, strict=False))
        missing = [one.name for one in prompt.arguments if one.required and one.name not in given]
        if missing:
            raise Trouble(f"/{command} also needs {', '.join(missing)} · write /{command} {prompt.argument_hint}")
        if names and len(arguments) > len(names):
            # The last argument takes the rest: people do not quote what they type last.
            given[names[-1]] = " ".join(arguments[len(names) - 1 :])
        return prompt_text(await self._link(prompt.server).prompt(prompt.name, given))

    def servers(self) -> list[str]:
        """By slug, those that can be asked."""
        return [slug for slug, link in self._links.items() if link.state is not ServerState.CLOSED]

    def resources(self) -> list[Resource]:
        """What is known now, for menus; templates among them."""
        return [resource for link in self._links.values() for resource in link.stock.resources]

    async def listed(self, server: str) -> list[Resource]:
        """Asks the server. Raises Trouble."""
        return await self._link(server).listed()

    async def read(self, server: str, uri: str) -> list[ResourcePart]:
        """Raises Trouble."""
        return await self._link(server).read(uri)

    def _link(self, server: str) -> Link:
        link = self._links.get(server)
        if link is None:
            known = ", ".join(self._links) or "there is none"
            raise Trouble(f"no MCP server is called {server!r}; known: {known}")
        link.start()
        return link

    def _by_name(self) -> dict[str, McpTool]:
        if self._tools is None:
            self._tools = {}
            for slug, link in self._links.items():
                for definition in link.stock.tools:
                    name = tool_name(slug, definition.name)
                    if name in self._tools:
                        name = distinct(name, definition.name)
                    self._tools[name] = McpTool(link, definition, name, self._on_progress)
        return self._tools

    def _changed(self, link: Link) -> None:
        self._tools = None
        self._on_change(link.config.slug)

    def _troubled(self, link: Link) -> None:
        config = link.config
        if link.state is ServerState.LOGIN_NEEDED:
            self._warn(link.trouble)
        elif link.state is ServerState.FAILED:
            self._warn(say("mcp.failed", name=config.name, why=link.trouble, slug=config.slug))
        else:
            listed = ", ".join(tool.name[:80] for tool in link.stock.withheld[:8])
            self._warn(say("mcp.withheld", name=config.name, tools=listed, slug=config.slug))

    async def _open(self, link: Link) -> "AbstractAsyncContextManager[Connection]":
        """A context with a connection in it."""
        config = link.config
        if config.is_project and config.transport == "stdio":
            line = " ".join([config.command, *config.args])
            if changed := changed_script(self._vouched, line, self._project_root):
                raise Broken(say("config.trust.script_changed", path=changed))
        # A second of importing: in a thread, so that nobody else has to wait for all of it.
        await asyncio.to_thread(import_module, "daedal.mcp.connection")
        from daedal.mcp.connection import Surroundings, connected
        from daedal.mcp.oauth import session_of

        session = None if config.transport == "stdio" else session_of(config, Tokens(self._home, config))
        return connected(
            config,
            Surroundings(
                spawner=self._spawner,
                workspace=self._workspace,
                elicit=link.questions.ask,
                on_message=lambda level, text: self._on_message(config.slug, level, text),
                on_change=link.changed,
                on_end=link.lost,
                session=session,
            ),
        )
