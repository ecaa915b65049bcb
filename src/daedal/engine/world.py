"""What does the engine need from the rest of the house? One value, put together by `app`."""

from collections.abc import Awaitable, Callable

from msgspec import Struct

from daedal.engine.hooking import ThreadHooks
from daedal.engine.settings import AgentSettings
from daedal.engine.terms import Terms
from daedal.protocol.judging import Gate, Hooks
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Instructions, PreImages, Prompts, Provider, Toolbox, Transcript, Watch, Worktrees
from daedal.protocol.service import Faces
from daedal.protocol.verdict import Posture


class World(Struct, frozen=True, kw_only=True):
    transcript: Transcript
    pre_images: PreImages
    instructions: Instructions
    prompts: Prompts
    worktrees: Worktrees
    faces: Faces
    connect: Callable[[str | None, str | None], Provider]
    """Finds a model by provider and name, checks its settings, and raises ConfigurationError without network I/O."""
    meet: Callable[[Terms], Awaitable[None]]
    """Reaches the servers that a thread brings along, before its tools are made. Raises ConfigurationError."""
    make_toolbox: Callable[[Terms], Toolbox]
    make_gate: Callable[[Terms, ThreadHooks], Gate]
    make_hooks: Callable[[str], Hooks | None]
    """For a workspace; None where there are none."""
    make_watch: Callable[[Callable[[str, str], Awaitable[None]]], Watch]
    """Told of each change: the path, and `change`, `add` or `unlink`."""
    changed_settings: Callable[[], list[tuple[str, str]]]
    """Settings files that changed since they were read, each with whose it is (`user_settings`, …); each told once."""
    still_running: Callable[[str], str]
    """For the model of a resumed session: what an earlier run of it has left running. Empty where nothing is."""
    redact: Redactor
    principal: str
    """On whose behalf threads of this engine act unless told otherwise."""
    settings: AgentSettings
    posture: Posture
    """Where a thread does not say its own."""
