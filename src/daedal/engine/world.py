"""What does the engine need from the rest of the house? One value, put together by `app`."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from daedal.engine.hooking import ThreadHooks
from daedal.engine.settings import AgentSettings
from daedal.engine.terms import Terms, Usual
from daedal.protocol.content import Picture
from daedal.protocol.items import ImageInput, LocalImageInput
from daedal.protocol.judging import Gate, Hooks
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import (
    Instructions,
    PreImages,
    Prompts,
    Provider,
    Restorer,
    Toolbox,
    Watch,
    Worktrees,
)
from daedal.protocol.service import Faces
from daedal.protocol.verdict import Posture

if TYPE_CHECKING:
    from daedal.protocol.goal_calls import Autopilot
    from daedal.protocol.turn_pages import PagedTranscript


class World(Struct, frozen=True, kw_only=True):
    transcript: "PagedTranscript"
    pre_images: PreImages
    instructions: Instructions
    prompts: Prompts
    worktrees: Worktrees
    faces: Faces
    connect: Callable[[str | None, str | None, str | None], Provider]
    """Finds a model by provider and name, and tells it how hard to think. Checks its settings, and raises
    ConfigurationError without network I/O."""
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
    make_restorer: Callable[[Terms], Restorer]
    """For the files of a thread's workspace."""
    picture: Callable[[ImageInput | LocalImageInput, Terms, str], Awaitable[Picture]]
    """The image that a person gave, checked; the path of a file starts in the folder. Raises UsageError."""
    redact: Redactor
    principal: str
    """On whose behalf threads of this engine act unless told otherwise."""
    settings: AgentSettings
    posture: Posture
    """Where a thread does not say its own."""
    usual: Usual = Usual()
    guest: str = ""
    """Whose agent works in the threads, where it is not our own."""
    autopilot: "Autopilot | None" = None
    """Who keeps threads at work towards their goals."""
