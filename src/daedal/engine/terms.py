"""On which terms does a thread work? What its walls, its rules and its guard are made from."""

from msgspec import Struct

from daedal.protocol.threads import ToolServer
from daedal.protocol.verdict import Posture


class Terms(Struct, frozen=True, kw_only=True):
    thread_id: str
    workspace: str
    posture: Posture
    provider: str = ""
    model_id: str = ""
    """Which model the thread speaks with; both empty where it has none."""
    is_confined: bool = True
    """False where the person took the walls down for the whole thread."""
    mode: str | None = None
    """The default mode, where the thread has its own."""
    allow: list[str] = []
    deny: list[str] = []
    guard: str | None = None
    """`run` or `sync` where nobody watches."""
    allow_destructive: bool = False
    keep_tasks: bool = False
    """Commands in the background stay when the thread is let go."""
    principal: str = ""
    """On whose behalf, where it is not the engine's own person."""
    mcp_servers: dict[str, ToolServer] = {}
    """Servers that lend their tools to this thread alone."""
    off_limits: list[str] = []
    """Folders that must not be written, whatever else may be."""
    place: str = ""
    """Which dialogue of the run it is; see `Brief.place`."""
    phase: str = "idle"
    has_approved_plan: bool = False
