"""How is a server?"""

from enum import StrEnum, auto

from msgspec import Struct


class ServerState(StrEnum):
    STARTING = auto()
    READY = auto()
    FAILED = auto()
    """It is tried again when it is needed."""
    LOGIN_NEEDED = auto()
    CLOSED = auto()


class ServerStatus(Struct, frozen=True, kw_only=True):
    """What a person sees of a server."""

    slug: str
    name: str
    transport: str
    state: ServerState
    trouble: str = ""
    version: str = ""
    """Its own name and version, as it says them."""
    tools: list[str] = []
    withheld: list[str] = []
    """Raw names of tools that are new or changed since they were accepted."""
    prompts: int = 0
    resources: int = 0
    origin: str = ""
