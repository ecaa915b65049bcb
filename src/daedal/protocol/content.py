"""What is a message made of? The closed block set of the transcript, shared by engine, ledger and providers."""

from enum import StrEnum, auto
from typing import Any

from msgspec import Raw, Struct


class Text(Struct, tag_field="type", tag="text", frozen=True):
    text: str


class ToolUse(Struct, tag_field="type", tag="tool_use", frozen=True):
    id: str
    name: str
    input: dict[str, Any]


class Image(Struct, frozen=True, rename="camel"):
    media_type: str
    data: str
    """Base64."""

    @property
    def url(self) -> str:
        return f"data:{self.media_type};base64,{self.data}"


class Picture(Struct, frozen=True):
    """An image that a person shows, and how its file was called."""

    image: Image
    name: str = ""


class ToolResult(Struct, tag_field="type", tag="tool_result", frozen=True, omit_defaults=True):
    tool_use_id: str
    content: str
    is_error: bool
    images: list[Image] = []
    """What the model shall see beside the text; each wire has its own way of saying so."""


Block = Text | ToolUse | ToolResult


class Kept(Struct, frozen=True):
    """A block that a vendor wants back exactly as it sent it (signed thinking, encrypted reasoning)."""

    index: int
    """Where it stood among all blocks of its message, kept and ordinary ones together."""
    block: Raw
    """The vendor's own JSON."""
    wire: str
    """Which wire it belongs to (`anthropic`, `responses`); other wires leave it out."""
    by: str = ""
    """The model that made it, and to which alone it means something; empty where that is not on the record."""


class Role(StrEnum):
    USER = auto()
    ASSISTANT = auto()


class Message(Struct, frozen=True):
    role: Role
    content: list[Block]
    kept: list[Kept] = []
    images: list[Image] = []
    """What the person shows with these words."""
