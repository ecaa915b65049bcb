"""What does a server offer beside tools? Prompts, which become slash commands, and resources, which can be read."""

from msgspec import Struct


class PromptArgument(Struct, frozen=True, kw_only=True):
    name: str
    description: str = ""
    required: bool = False


class Prompt(Struct, frozen=True, kw_only=True):
    server: str
    """By its slug."""
    name: str
    """As the server calls it."""
    command: str
    """`mcp__server__prompt`, without the slash."""
    description: str = ""
    arguments: list[PromptArgument] = []

    @property
    def argument_hint(self) -> str:
        return " ".join(f"<{one.name}>" if one.required else f"[{one.name}]" for one in self.arguments)


class Resource(Struct, frozen=True, kw_only=True):
    server: str
    uri: str
    """Of a template: with `{placeholders}` to be filled in."""
    name: str
    description: str = ""
    mime_type: str = ""
    is_template: bool = False


class ResourcePart(Struct, frozen=True, kw_only=True):
    """One part of what was read: text, or bytes."""

    uri: str
    mime_type: str = ""
    text: str | None = None
    blob: bytes | None = None
