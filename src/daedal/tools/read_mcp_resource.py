"""How does the model read a resource of an MCP server?"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, ImageContent, Outcome
from daedal.tools.errors import TRUNCATED, Refused
from daedal.tools.images import shown
from daedal.tools.list_mcp_resources import known_server
from daedal.tools.sizes import size
from daedal.tools.tool import BuiltinTool, encodable
from daedal.tools.worlds import Resources

TEXT_CHARACTERS_MAX = 262_144
"""Of all parts together; a server may send far more than a model can take."""
IMAGES_MAX = 8
PARTS_MAX = 100


class ReadMcpResourceInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    server: str
    uri: str


class ReadMcpResource(BuiltinTool[ReadMcpResourceInput]):
    def __init__(self, spec: ToolSpec, resources: Resources) -> None:
        super().__init__(spec, ReadMcpResourceInput)
        self._resources = resources

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a uri is the server's to read
        return []

    async def act(self, call: ReadMcpResourceInput, bench: Bench) -> Outcome:  # noqa: ARG002 - no file is touched
        parts = await self._resources.read(known_server(self._resources, call.server), call.uri)
        images: list[ImageContent] = []
        room = TEXT_CHARACTERS_MAX
        contents: list[dict[str, str]] = []
        for part in parts[:PARTS_MAX]:
            about = {"uri": part.uri, "mimeType": part.mime_type}
            if part.blob is not None:
                contents.append({**about, "blob": _told_of(part.blob, part.uri, images)})
                continue
            text = encodable(part.text or "")
            contents.append({**about, "text": text if len(text) <= room else f"{text[:room]}{TRUNCATED}"})
            room -= min(room, len(text))
        return Outcome(content=msgspec.json.encode({"contents": contents}).decode(), images=images)


def _told_of(blob: bytes, uri: str, images: list[ImageContent]) -> str:
    """A line about what is no text; an image that a model can look at is added to the others."""
    try:
        picture = shown(blob, uri) if len(images) < IMAGES_MAX else None
    except Refused as refusal:
        return f"({refusal})"
    if picture is None:
        return f"({size(len(blob))}, binary, not shown)"
    about, image = picture
    images.append(image)
    return f"({about}, shown beside this)"
