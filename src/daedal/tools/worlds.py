"""What do some tools reach that is not a file? Sub-agents, skills and MCP servers, as a thread may have them.

The tools `Agent`, `Skill`, `ListMcpResources`, `ReadMcpResource` and `ToolSearch` know only what stands here. Whoever
builds a thread hands in what there is; where nothing is handed in, there is nothing, and the tools say so.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, Protocol

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome

if TYPE_CHECKING:
    from daedal.tools.recall import History, Memories


class Listing(Struct, frozen=True):
    """A type of agent, or a skill, as the model is told about it."""

    name: str
    description: str
    """When it is to be used, on one line."""


class AgentOrder(Struct, frozen=True, kw_only=True):
    """What a sub-agent is to do. Whatever is None is for the type to say."""

    type: str
    description: str
    """The task in a few words, for people."""
    prompt: str
    model: str | None = None
    isolation: str | None = None
    """`worktree` or `remote`."""
    effort: str | None = None


class Agents(Protocol):
    """Who can be given a task."""

    def types(self) -> list[Listing]:
        """Asked when a thread begins and with each call; must be quick."""
        ...

    def is_background(self, order: AgentOrder) -> bool:
        """Whether agents of that type work in the background unless somebody says otherwise."""
        ...

    async def run(self, order: AgentOrder, bench: Bench) -> Outcome:
        """The agent's report. Raises Refused for what cannot be done; cancelled, it leaves nothing running."""
        ...


class Skills(Protocol):
    """Which instructions can be loaded."""

    def listed(self) -> list[Listing]:
        """Asked when a thread begins and with each call; must be quick."""
        ...

    async def load(self, name: str, arguments: str, bench: Bench) -> Outcome:
        """The instructions, or what came of them where the skill has an agent of its own. Raises Refused."""
        ...


class Resource(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a server offers to be read."""

    name: str
    uri: str
    description: str = ""
    mime_type: str = ""
    server: str


class ResourceContent(Struct, frozen=True, kw_only=True):
    """One part of what was read: text, or bytes."""

    uri: str
    mime_type: str = ""
    text: str | None = None
    blob: bytes | None = None


class Resources(Protocol):
    """What MCP servers offer to be read."""

    def servers(self) -> list[str]: ...

    async def listed(self, server: str) -> list[Resource]:
        """Raises Refused where the server does not answer. Waits no longer than the server's timeout."""
        ...

    async def read(self, server: str, uri: str) -> list[ResourceContent]:
        """Raises Refused where there is no such resource, or the server does not answer."""
        ...


class NoAgents:
    def types(self) -> list[Listing]:
        return []

    def is_background(self, order: AgentOrder) -> bool:
        del order
        return False

    async def run(self, order: AgentOrder, bench: Bench) -> Outcome:
        raise AssertionError(f"there is no agent of type {order.type}, and none was listed to {bench.thread_id}")


class NoSkills:
    def listed(self) -> list[Listing]:
        return []

    async def load(self, name: str, arguments: str, bench: Bench) -> Outcome:
        raise AssertionError(f"there is no skill {name} for {arguments}, and none was listed to {bench.thread_id}")


class NoResources:
    def servers(self) -> list[str]:
        return []

    async def listed(self, server: str) -> list[Resource]:
        raise AssertionError(f"there is no server {server}")

    async def read(self, server: str, uri: str) -> list[ResourceContent]:
        raise AssertionError(f"there is no server {server} with {uri}")


def no_tools() -> list[ToolSpec]:
    return []


def nothing_kept() -> NoReturn:
    from daedal.tools.errors import Refused

    raise Refused("Nothing is kept between sessions here. Go on without it.")


class Worlds(Struct, frozen=True, kw_only=True):
    """What there is beside files, commands and the web."""

    agents: Agents = NoAgents()
    skills: Skills = NoSkills()
    resources: Resources = NoResources()
    tools: Callable[[], list[ToolSpec]] = no_tools
    """Tools that are not built in, as those of MCP servers, so that ToolSearch finds them too."""
    memories: Callable[[], "Memories"] = nothing_kept
    """Called with each use: a thread that never looks back need not load what could."""
    history: Callable[[], "History"] = nothing_kept


NOTHING_ELSE = Worlds()
