"""How do prompts and resources of MCP servers come into a person's prompt? `/mcp__server__prompt`, `@server:uri`."""

import re
from collections.abc import Sequence

from daedal.config import tagged
from daedal.mcp import McpServers, Resource, Trouble
from daedal.protocol.errors import UsageError
from daedal.protocol.prompts import (
    CommandInfo,
    CommandListParams,
    CommandListResponse,
    Completion,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.seams import Prepared, Prompts

REFERENCE = re.compile(r"(?<!\S)@([a-z0-9][a-z0-9_-]*):(\S+)")
REFERENCES_MAX = 20
COMPLETIONS_MAX = 50


class ServedPrompts:
    """Commands and references as before, and those that servers offer."""

    def __init__(self, own: Prompts, servers: McpServers) -> None:
        self._own = own
        self._servers = servers

    async def prepare(self, text: str, *, workspace: str, cwd: str, deny: Sequence[str] = ()) -> Prepared:
        command, *arguments = text.split() if text.startswith("/mcp__") else [""]
        if command:
            try:
                return Prepared(text=await self._servers.prompt(command.removeprefix("/"), arguments))
            except Trouble as trouble:
                raise UsageError(str(trouble)) from trouble
        prepared = await self._own.prepare(text, workspace=workspace, cwd=cwd, deny=deny)
        attachments, notices = list(prepared.attachments), list(prepared.notices)
        known = self._servers.servers()
        for server, uri in [found for found in REFERENCE.findall(text) if found[0] in known][:REFERENCES_MAX]:
            try:
                parts = await self._servers.read(server, uri)
            except Trouble as trouble:
                notices.append(f"@{server}:{uri}: {trouble}")
                continue
            body = "\n".join(part.text or f"[{len(part.blob or b'')} bytes of {part.mime_type}]" for part in parts)
            attachments.append(tagged("resource", f"{server}:{uri}", body))
        return Prepared(text=prepared.text, attachments=attachments, notices=notices)

    def commands(self, params: CommandListParams) -> CommandListResponse:
        own = self._own.commands(params)
        offered = [
            CommandInfo(
                name=prompt.command,
                description=prompt.description,
                argument_hint=prompt.argument_hint,
                source="mcp",
                path=prompt.server,
            )
            for prompt in self._servers.prompts()
        ]
        return CommandListResponse(data=[*own.data, *offered], problems=own.problems)

    def complete(self, params: ReferenceCompleteParams) -> ReferenceCompleteResponse:
        own = self._own.complete(params)
        named = [_reference(one) for one in self._servers.resources() if not one.is_template]
        found = [text for text in named if text.startswith(params.prefix)][:COMPLETIONS_MAX]
        return ReferenceCompleteResponse(
            data=[*own.data, *(Completion(text=text, kind="resource") for text in found)], is_cut=own.is_cut
        )


def _reference(one: Resource) -> str:
    return f"{one.server}:{one.uri}"
