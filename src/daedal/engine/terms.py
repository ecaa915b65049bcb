"""On which terms does a thread work? What its walls, its rules and its guard are made from."""

from msgspec import Struct

from daedal.protocol.threads import ToolServer
from daedal.protocol.verdict import Posture


class Usual(Struct, frozen=True, kw_only=True):
    """What holds for a thread that says nothing else, and what none may say."""

    mode: str = "default"
    """The settings' default mode, as far as it is not forbidden."""
    is_walled: bool = True
    forbids_bypass: bool = False
    """Nobody may have everything allowed, or the walls taken down."""
    keeps_walls: bool = False
    """The administrator wants them to stand: neither a client nor the environment of the process takes them down."""


class Terms(Struct, frozen=True, kw_only=True):
    thread_id: str
    workspace: str
    posture: Posture
    provider: str = ""
    model_id: str = ""
    """Which model the thread speaks with; both empty where it has none."""
    effort: str | None = None
    """How hard its model shall think; None takes the settings."""
    is_confined: bool = True
    """False where the person took the walls down for the whole thread."""
    is_read_only: bool = False
    """Nothing is written, by files or commands."""
    wants_walls: bool = False
    """They were asked for by name: they stand also where the settings would do without."""
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
