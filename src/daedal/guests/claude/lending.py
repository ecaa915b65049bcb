"""How does Claude use tools that we lend? As those of MCP servers inside this process, reached over its own pipe.

Our engine has run a call before Claude asks a server for its result; a call that it has not run has none.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec.json import decode

from daedal.guests.lent import OURS, PREFIX, Lent
from daedal.protocol.content import ToolResult

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

CALL_ID = "claudecode/toolUseId"
"""Where Claude says which call of its model it is about."""
NOT_RUN = "This call was not run here."


class Lending:
    """The servers of one conversation."""

    def __init__(self, lent: Iterable[Lent]) -> None:
        self._servers: dict[str, list[Lent]] = {}
        self._results: dict[str, ToolResult] = {}
        self._names: dict[str, str] = {}
        tools = list(lent)
        taken = {each.server for each in tools}
        ours = OURS if OURS not in taken else f"{OURS}-own"
        for each in tools:
            server = each.server or ours
            self._servers.setdefault(server, []).append(each)
            self._names[f"{PREFIX}{server}__{each.tool}"] = each.name

    def meant(self, name: str) -> str | None:
        """Our name of what Claude calls that."""
        return self._names.get(name)

    def config(self) -> dict[str, Any]:
        """For its command line."""
        return {"mcpServers": {name: {"type": "sdk", "name": name} for name in self._servers}}

    def servers(self) -> dict[str, Any]:
        """For the SDK."""
        return {
            name: {"type": "sdk", "name": name, "instance": self._server(name, tools)}
            for name, tools in self._servers.items()
        }

    def keep(self, result: ToolResult) -> None:
        self._results[result.tool_use_id] = result

    def _server(self, name: str, tools: list[Lent]) -> "Server[Any]":
        import mcp_types as types
        from mcp.server.lowlevel import Server

        async def listed(_context: Any, _params: Any) -> types.ListToolsResult:
            return types.ListToolsResult(
                tools=[
                    types.Tool(name=each.tool, description=each.description, input_schema=decode(each.schema))
                    for each in tools
                ]
            )

        async def called(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
            call_id = str(dict(params.meta or {}).get(CALL_ID))
            result = self._results.pop(call_id, None) or ToolResult(call_id, NOT_RUN, is_error=True)
            images = [
                types.ImageContent(type="image", data=image.data, mime_type=image.media_type) for image in result.images
            ]
            words = types.TextContent(type="text", text=result.content)
            return types.CallToolResult(content=[words, *images], is_error=result.is_error)

        return Server(name, on_list_tools=listed, on_call_tool=called)
