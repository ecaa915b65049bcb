"""What does a server offer, and what of it has the person accepted?"""

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar

from daedal.mcp.approvals import Approvals
from daedal.mcp.definitions import Definition, Difference, sift
from daedal.mcp.offers import Prompt, Resource
from daedal.mcp.trouble import Broken, Trouble
from daedal.protocol.errors import ConfigurationError

if TYPE_CHECKING:
    from daedal.mcp.connection import Connection

FIRST_USE_S = 5.0
"""Servers that offer tools only after they have looked at us do so at once; what comes later is a change."""
T = TypeVar("T")


class Stock:
    """Of one server: from an earlier session at first, so that nobody has to wait to know it; then as it is now."""

    def __init__(self, approvals: Approvals) -> None:
        self.tools: list[Definition] = []
        self.withheld: list[Definition] = []
        """New or changed since the person accepted what there was."""
        self.prompts: list[Prompt] = []
        self.resources: list[Resource] = []
        self.is_known = False
        """From now or from an earlier session."""
        self._approvals = approvals
        self._first_use_until = 0.0
        try:
            self.tools = approvals.definitions()
            self.is_known = approvals.digests() is not None
        except ConfigurationError:
            pass  # said when it connects

    async def look(self, connection: "Connection") -> bool:
        """Returns whether something is held back that was not before. Raises Trouble or ConfigurationError."""
        offered = [tool for tool in await connection.tools() if tool.is_usable]
        accepted = self._approvals.digests()
        now = asyncio.get_running_loop().time()
        if accepted is None:
            self._first_use_until = now + FIRST_USE_S
        if accepted is None or now < self._first_use_until:
            self._approvals.accept(offered)
            accepted = {tool.name: tool.digest for tool in offered}
        sifted = sift(offered, accepted)
        news = {tool.digest for tool in sifted.withheld} - {tool.digest for tool in self.withheld}
        self.tools, self.withheld = sifted.allowed, sifted.withheld
        self.prompts = await _or_none(connection.prompts())
        self.resources = await _or_none(connection.resources())
        self.is_known = True
        return bool(news)

    def require(self, tool: Definition) -> None:
        """That it is offered as the model was told, and accepted. Raises Trouble."""
        if any(known.name == tool.name and known.digest == tool.digest for known in self.tools):
            return
        if any(held.name == tool.name for held in self.withheld):
            raise Trouble(
                f"the server has changed its tool {tool.name!r} since the user accepted it, so it was not called: go "
                "on without it, and tell the user to look at the change with `daedal mcp test` and `daedal mcp trust`"
            )
        raise Trouble(
            f"the server does not offer {tool.name!r} as it did before, so it was not called: go on without it"
        )

    def differences(self) -> list[Difference]:
        """What is held back, beside what was accepted under that name. Raises ConfigurationError."""
        known = {tool.name: tool for tool in self._approvals.definitions()}
        return [Difference(known.get(tool.name), tool) for tool in self.withheld]

    def accept(self) -> None:
        """All that it offers now. Raises ConfigurationError."""
        self._approvals.accept([*self.tools, *self.withheld])
        self.tools, self.withheld = [*self.tools, *self.withheld], []


async def _or_none(asking: Awaitable[list[T]]) -> list[T]:
    """Servers that promise a list and then have none still have tools."""
    try:
        return await asking
    except Broken:
        raise
    except Trouble:
        return []
