"""How is a connected server spoken to? In plain data: the SDK's types and errors end here.

Above: a link, which owns the connection. Below: the official SDK over one of our transports.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal, cast

import anyio
import mcp_types as types
from mcp.client.client import Client
from mcp.client.context import ClientRequestContext
from mcp.client.session import IncomingMessage
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.exceptions import MCPError
from msgspec import Struct
from pydantic import ValidationError

from daedal import __version__
from daedal.mcp.definitions import Definition
from daedal.mcp.elicitation import Asked, Elicit
from daedal.mcp.ending import Ending, gone
from daedal.mcp.entries import ServerConfig
from daedal.mcp.http import remote_streams
from daedal.mcp.names import prompt_name
from daedal.mcp.oauth import Session, stranger
from daedal.mcp.offers import Prompt, PromptArgument, Resource, ResourcePart
from daedal.mcp.results import decoded
from daedal.mcp.stdio import Feeder, process_streams
from daedal.mcp.trouble import Broken, Forgotten, Gone, Trouble, innermost, told

PAGES_MAX = 50
ENTRIES_MAX = 1_000
"""Of tools, prompts or resources. Nobody can judge more, and a list could go on for ever."""
CLOSED_CODES = (types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT)

for _name in ("mcp", "client", "httpx2", "httpcore2"):
    # Nobody set up logging here, so Python would print the SDK's warnings between a person's lines.
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


class Surroundings(Struct, frozen=True, kw_only=True):
    """What a connection may use of the world."""

    spawner: Feeder
    workspace: str
    elicit: Elicit
    on_message: Callable[[str, str], None]
    """Level and text of what the server wants to be read by somebody."""
    on_change: Callable[[], None]
    """The server says that its tools, prompts or resources are others now."""
    on_end: Callable[[], None]
    """The server's process has ended."""
    session: Session | None = None
    """Who we are to a remote server."""


@asynccontextmanager
async def connected(config: ServerConfig, around: Surroundings) -> AsyncGenerator["Connection"]:
    """Starts or reaches the server and shakes hands. Raises Trouble, or whatever the network raises."""
    ending = Ending()
    async with AsyncExitStack() as stack:
        try:
            client = await stack.enter_async_context(_client(config, around, ending, "legacy"))
        except Exception as trouble:  # the SDK raises groups of errors
            error = innermost(trouble)
            if ending.is_stranger:
                raise stranger(config) from trouble
            if not isinstance(error, MCPError) or error.code in CLOSED_CODES:
                raise (gone(ending, config.name) if ending.reason else error) from trouble
            # Servers of the newest kind know no handshake; those of the kinds before know nothing else.
            ending = Ending()
            client = await stack.enter_async_context(_client(config, around, ending, "auto"))
        client.session.validate_tool_result = _unchecked
        ending.on_end = around.on_end
        yield Connection(config, client, ending)


async def _unchecked(name: str, result: types.CallToolResult) -> None:
    """An answer is for a model to read, whatever the server had promised about its form.

    To check it, patterns that the server wrote would run against text that the server wrote, for as long as it likes;
    and an answer that had to be cut off would never pass.
    """


def _client(config: ServerConfig, around: Surroundings, ending: Ending, mode: Literal["legacy", "auto"]) -> Client:
    if config.transport == "stdio":
        transport = process_streams(config, around.spawner, around.workspace, ending)
    else:
        transport = remote_streams(config, around.session.auth if around.session else None, ending)

    async def roots(context: ClientRequestContext) -> types.ListRootsResult:  # noqa: ARG001 - the SDK's name for it
        from pathlib import Path

        return types.ListRootsResult(roots=[types.Root(uri=cast("Any", Path(around.workspace).as_uri()))])

    async def elicit(
        context: ClientRequestContext,  # noqa: ARG001 - the SDK's name for it
        params: types.ElicitRequestParams,
    ) -> types.ElicitResult:
        said = params.model_dump(by_alias=True, mode="json")
        asked = Asked(
            server=config.slug,
            message=params.message,
            mode="url" if said.get("mode") == "url" else "form",
            url=said.get("url"),
            elicitation_id=said.get("elicitationId"),
            requested_schema=said.get("requestedSchema"),
        )
        replied = await around.elicit(asked)
        return types.ElicitResult(action=replied.action, content=replied.content)

    async def log(params: types.LoggingMessageNotificationParams) -> None:
        around.on_message(params.level, params.data if isinstance(params.data, str) else str(params.data))

    async def hear(message: IncomingMessage) -> None:
        if isinstance(
            message,
            types.ToolListChangedNotification
            | types.PromptListChangedNotification
            | types.ResourceListChangedNotification,
        ):
            around.on_change()

    return Client(
        transport,
        mode=mode,
        list_roots_callback=roots,
        elicitation_callback=elicit,
        logging_callback=log,
        message_handler=hear,
        client_info=types.Implementation(name="daedal", version=__version__),
        cache=None,
    )


class Connection:
    def __init__(self, config: ServerConfig, client: Client, ending: Ending) -> None:
        self._config = config
        self._client = client
        self._ending = ending

    @property
    def version(self) -> str:
        info = self._client.server_info
        return f"{info.name} {info.version}" if info else ""

    @property
    def has_tools(self) -> bool:
        return self._client.server_capabilities.tools is not None

    @property
    def has_prompts(self) -> bool:
        return self._client.server_capabilities.prompts is not None

    @property
    def has_resources(self) -> bool:
        return self._client.server_capabilities.resources is not None

    async def tools(self) -> list[Definition]:
        if not self.has_tools:
            return []
        found = await self._pages(lambda cursor: self._client.list_tools(cursor=cursor), "tools")
        return [
            Definition(
                name=tool["name"],
                description=tool.get("description") or "",
                input_schema=tool.get("inputSchema") or {},
                annotations=tool.get("annotations") or {},
            )
            for tool in found
        ]

    async def prompts(self) -> list[Prompt]:
        if not self.has_prompts:
            return []
        found = await self._pages(lambda cursor: self._client.list_prompts(cursor=cursor), "prompts")
        return [_prompt(prompt, self._config.slug) for prompt in found]

    async def resources(self) -> list[Resource]:
        """Templates last."""
        if not self.has_resources:
            return []
        plain = await self._pages(lambda cursor: self._client.list_resources(cursor=cursor), "resources")
        templates: list[dict[str, Any]] = []
        try:
            templates = await self._pages(
                lambda cursor: self._client.list_resource_templates(cursor=cursor), "resourceTemplates"
            )
        except Broken:
            raise
        except Trouble:
            pass  # many servers have resources and know no templates
        return [_resource(one, self._config.slug) for one in (*plain, *templates)]

    async def call(self, raw: str, arguments: Mapping[str, Any], progress: ProgressFnT | None) -> dict[str, Any]:
        return await self._plain(self._client.call_tool(raw, dict(arguments), progress_callback=progress))

    async def prompt(self, raw: str, arguments: Mapping[str, str]) -> dict[str, Any]:
        return await self._plain(self._client.get_prompt(raw, dict(arguments) or None))

    async def read(self, uri: str) -> list[ResourcePart]:
        found = await self._plain(self._client.read_resource(uri))
        return [
            ResourcePart(
                uri=part.get("uri", uri),
                mime_type=part.get("mimeType") or "",
                text=part.get("text"),
                blob=decoded(part.get("blob")),
            )
            for part in found.get("contents", [])
        ]

    async def _pages(self, ask: Callable[[str | None], Awaitable[Any]], key: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(PAGES_MAX):
            page = await self._plain(ask(cursor))
            found += page.get(key, [])
            cursor = page.get("nextCursor")
            if cursor is None or len(found) >= ENTRIES_MAX:
                break
        return found[:ENTRIES_MAX]

    async def _plain(self, asking: Awaitable[Any]) -> dict[str, Any]:
        """The answer as plain data. Raises Trouble."""
        try:
            answer = await asking
            return answer.model_dump(by_alias=True, mode="json", exclude_none=True)
        except MCPError as error:
            if self._ending.is_stranger:
                raise stranger(self._config) from error
            if self._ending.is_forgotten:
                raise Forgotten(f"the MCP server {self._config.name} has forgotten our session") from error
            if error.code in CLOSED_CODES:
                raise self._gone(told(error)) from error
            raise Trouble(told(error)) from error
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream) as error:
            raise self._gone("the connection is closed") from error
        except ValidationError as error:
            raise Broken(f"it answered with something that is no answer ({error.error_count()} mistakes)") from error
        except (RuntimeError, ValueError) as error:
            raise Broken(told(error)) from error

    def _gone(self, reason: str) -> Gone:
        return gone(self._ending, self._config.name) if self._ending.reason else Gone(reason)


def _prompt(said: dict[str, Any], slug: str) -> Prompt:
    return Prompt(
        server=slug,
        name=said["name"],
        command=prompt_name(slug, said["name"]),
        description=said.get("description") or said.get("title") or "",
        arguments=[
            PromptArgument(
                name=one["name"], description=one.get("description") or "", required=bool(one.get("required"))
            )
            for one in said.get("arguments", [])
        ],
    )


def _resource(said: dict[str, Any], slug: str) -> Resource:
    return Resource(
        server=slug,
        uri=said.get("uri") or said.get("uriTemplate") or "",
        name=said.get("name", ""),
        description=said.get("description") or "",
        mime_type=said.get("mimeType") or "",
        is_template="uriTemplate" in said,
    )
