"""Which MCP servers does an editor bring along? Those of the person's own editor settings, as entries of ours.

They are the person's, as what stands in their own `config.toml`; but an editor hands over values, not variables, so
nothing in them is filled in.
"""

from collections.abc import Sequence
from typing import Any

from acp.schema import HttpMcpServer, McpServerStdio, SseMcpServer

from daedal.protocol.catalogue import say


def entries_of(servers: Sequence[Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """The entries, and a sentence for each server that nobody here could reach."""
    entries: list[dict[str, Any]] = []
    notices: list[str] = []
    for server in servers:
        match server:
            case McpServerStdio():
                env = {one.name: one.value for one in server.env}
                entries.append({"name": server.name, "command": server.command, "args": list(server.args), "env": env})
            case HttpMcpServer() | SseMcpServer():
                headers = {one.name: one.value for one in server.headers}
                entries.append({"name": server.name, "type": server.type, "url": server.url, "headers": headers})
            case _:
                notices.append(say("editor.server_unreachable", name=getattr(server, "name", "?")))
    return entries, notices
