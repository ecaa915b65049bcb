"""How does what a person wrote in the editor become a prompt? Their words stay theirs; what is embedded is material.

A linked file becomes a reference (`@path`), resolved like one that was typed. Of an embedded file the content comes
along, as it stands in the editor, saved or not: nothing in it is a command or a reference.
"""

import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from acp import RequestError
from acp.schema import (
    AudioContentBlock,
    BlobResourceContents,
    EmbeddedResourceContentBlock,
    ImageContentBlock,
    ResourceContentBlock,
    TextContentBlock,
    TextResourceContents,
)

from daedal.config import tagged
from daedal.editor.errors import wrong
from daedal.protocol.catalogue import say
from daedal.protocol.items import Given, ImageInput, UserInput

Block = TextContentBlock | ImageContentBlock | AudioContentBlock | ResourceContentBlock | EmbeddedResourceContentBlock

BINARY = "[binary content, not shown]"
_MISLEADING = re.compile(r"[\n\"`]|[\s(\[{<']@")
"""A file can be called `x @/etc/hosts`: among the person's words that would be a reference of its own."""
_LINES = re.compile(r"L([1-9]\d{0,8})(?:[-:]L?([1-9]\d{0,8}))?")


def inputs(blocks: Sequence[Block]) -> list[Given]:
    """Raises RequestError for what no model of ours could see."""
    words, material = "", list[str]()
    images: list[ImageInput] = []
    for block in blocks:
        match block:
            case TextContentBlock():
                words += block.text
            case ResourceContentBlock():
                reference = _reference(block.uri)
                words = _joined(words, reference) if reference else words
                material += [] if reference else [f"{block.name} ({block.uri})"]
            case EmbeddedResourceContentBlock(resource=BlobResourceContents(mime_type=str(kind)) as blob) if (
                kind.startswith("image/")
            ):
                images.append(_image(kind, blob.blob, blob.uri))
            case EmbeddedResourceContentBlock():
                resource = block.resource
                text = resource.text if isinstance(resource, TextResourceContents) else BINARY
                name = _path(resource.uri) or resource.uri
                words = words if _MISLEADING.search(name) else _joined(words, f"`{name}`")
                material.append(tagged("resource", name, text))
            case ImageContentBlock():
                images.append(_image(block.mime_type, block.data, block.uri))
            case _:
                raise _unseen(block)
    parts = [UserInput(_clean(words))] if words.strip() else []
    return [*parts, *(UserInput(_clean(text), is_literal=True) for text in material), *images]


def _image(kind: str, data: str, uri: str | None) -> ImageInput:
    name = (_path(uri) or "").rpartition("/")[2] if uri else ""
    return ImageInput(url=_clean(f"data:{kind};base64,{data}"), name=_clean(name) or None)


def _unseen(block: AudioContentBlock) -> RequestError:
    return wrong(say("editor.unseen", kind=block.type))


def _joined(words: str, mention: str) -> str:
    """A mention stands alone, or it is none."""
    space = "" if not words or words[-1].isspace() else " "
    return f"{words}{space}{mention} "


def _reference(uri: str) -> str | None:
    """None where it leads to no file, or to one whose name cannot be written as a reference."""
    path = _path(uri)
    if not path or _MISLEADING.search(path):
        return None
    lines = _LINES.fullmatch(urlsplit(uri).fragment)
    first, last = lines.groups() if lines else (None, None)
    where = f"#L{first}" + (f"-{last}" if last else "") if first else ""
    return f'@"{path}"{where}' if re.search(r"\s", path) else f"@{path}{where}"


def _path(uri: str) -> str | None:
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    return unquote(parts.path) if parts.scheme == "file" and parts.netloc in ("", "localhost") else None


def _clean(text: str) -> str:
    """JSON can say half of a character; UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()
