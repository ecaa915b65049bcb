"""What does the engine need from the rest of the house? One value, put together by `app`."""

from collections.abc import Callable

from msgspec import Struct

from daedal.engine.settings import AgentSettings
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Faces, Gate, Instructions, PreImages, Provider, Toolbox, Transcript
from daedal.protocol.verdict import Posture


class World(Struct, frozen=True, kw_only=True):
    transcript: Transcript
    pre_images: PreImages
    instructions: Instructions
    faces: Faces
    connect: Callable[[str | None, str | None], Provider]
    """Finds a model by provider and name, checks its settings, and raises ConfigurationError without network I/O."""
    make_toolbox: Callable[[], Toolbox]
    make_gate: Callable[[Posture, str], Gate]
    """For a posture and a workspace."""
    redact: Redactor
    principal: str
    """On whose behalf threads of this engine act unless told otherwise."""
    settings: AgentSettings
    posture: Posture
    """Where a thread does not say its own."""
