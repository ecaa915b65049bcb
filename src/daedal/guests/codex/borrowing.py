"""How does Codex use tools that we lend? As its client's: told of them once, it asks us to run each call."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.json import decode

from daedal.guests.lent import Lent
from daedal.protocol.content import ToolResult

ASK_LENT = "item/tool/call"


def offered(lent: Iterable[Lent]) -> list[dict[str, Any]]:
    """For `thread/start`."""
    own: list[dict[str, Any]] = []
    servers: dict[str, list[dict[str, Any]]] = {}
    for each in lent:
        told = {
            "type": "function",
            "name": each.tool,
            "description": each.description,
            "inputSchema": decode(each.schema),
        }
        (servers.setdefault(each.server, []) if each.server else own).append(told)
    return own + [
        {"type": "namespace", "name": _space(server), "description": f"Tools of the server {server}.", "tools": tools}
        for server, tools in servers.items()
    ]


def meant(params: Mapping[str, Any], lent: Mapping[str, Lent]) -> str | None:
    """Our name of the tool that is called."""
    space, tool = params.get("namespace"), params.get("tool")
    for each in lent.values():
        if each.tool == tool and (_space(each.server) if each.server else None) == space:
            return each.name
    return None


def unwanted(lent: Mapping[str, Lent], why: str) -> str | None:
    """The tool that Codex names where it takes none of them because of one."""
    words = why.replace(":", " ").replace("`", " ").split()
    return next((each.name for each in lent.values() if each.tool in words or _space(each.server) in words), None)


def answer_of(result: ToolResult) -> dict[str, Any]:
    images = [{"type": "inputImage", "imageUrl": image.url} for image in result.images]
    return {"contentItems": [{"type": "inputText", "text": result.content}, *images], "success": not result.is_error}


def _space(server: str) -> str:
    """Not the plain name: Codex keeps some for itself."""
    return f"mcp-{server}"
