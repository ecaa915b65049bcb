"""What does the model see of a server's answer? Texts joined, pictures as pictures, anything else described."""

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from daedal.mcp.definitions import TRUNCATED
from daedal.mcp.salvage import TEXT_BYTES_MAX
from daedal.protocol.seams import ImageContent, Outcome

INTERNAL = "[SDLC_INTERNAL] "
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
IMAGE_BYTES_MAX = 5 * 1_048_576
IMAGES_MAX = 20


def outcome_of(result: Mapping[str, Any]) -> Outcome:
    """`result` is a CallToolResult as plain data."""
    texts: list[str] = []
    images: list[ImageContent] = []
    blocks = result.get("content")
    for block in cast("list[Any]", blocks) if isinstance(blocks, list) else []:
        picture = _picture(block) if len(images) < IMAGES_MAX else None
        if picture is not None:
            images.append(picture)
        else:
            texts.append(_text(block))
    structured = result.get("structuredContent")
    if structured is not None and not any(texts):
        texts = [msgspec.json.encode(structured).decode()]
    text = "\n".join(texts)
    if not text:
        text = "(a picture)" if images else "(the tool answered without any content)"
    return Outcome(content=capped(text), is_error=result.get("isError") is True, images=images)


def capped(text: str) -> str:
    """Encodable, and not longer than a result may be."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= TEXT_BYTES_MAX:
        return raw.decode()
    return f"{raw[: TEXT_BYTES_MAX - 32].decode('utf-8', 'ignore')}\n{TRUNCATED}"


def decoded(text: Any) -> bytes | None:
    """Bytes that came as base64; None where they are none."""
    try:
        return b64decode(text, validate=True) if isinstance(text, str) else None
    except (NotBase64, ValueError):
        return None


def _picture(block: Any) -> ImageContent | None:
    if not isinstance(block, dict) or cast("dict[str, Any]", block).get("type") != "image":
        return None
    said = cast("dict[str, Any]", block)
    data = decoded(said.get("data"))
    if data is None or said.get("mimeType") not in IMAGE_TYPES or not 0 < len(data) <= IMAGE_BYTES_MAX:
        return None
    return ImageContent(str(said["mimeType"]), data)


def _text(block: Any) -> str:
    if not isinstance(block, dict):
        return "[content that is no object]"
    said = cast("dict[str, Any]", block)
    match said.get("type"):
        case "text":
            return str(said.get("text", ""))
        case "resource":
            return _resource(said.get("resource"))
        case "resource_link":
            about = f" ({said['description']})" if said.get("description") else ""
            return f"[resource {said.get('name', '')}: {said.get('uri', '')}{about}]"
        case kind:
            size = len(decoded(said.get("data")) or b"")
            return f"[{str(kind)[:40]} of type {str(said.get('mimeType'))[:80]}, {size} bytes, cannot be shown]"


def _resource(resource: Any) -> str:
    said = cast("dict[str, Any]", resource) if isinstance(resource, dict) else {}
    if isinstance(said.get("text"), str):
        return f'<resource uri="{said.get("uri", "")}">\n{said["text"]}\n</resource>'
    size = len(decoded(said.get("blob")) or b"")
    return f"[resource {said.get('uri', '')} of type {said.get('mimeType')}, {size} bytes, cannot be shown]"
