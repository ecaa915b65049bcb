"""What are a thread's settings, and how does a client change them while the thread lives? `thread/settings/update`.

The names are Codex's. Ours are `permissionMode`, `posture` and `phase`.
"""

from typing import Any

from msgspec import Struct

from daedal.protocol.turns import Wishes
from daedal.protocol.verdict import Posture


class ThreadSettings(Struct, rename="camel", frozen=True, kw_only=True):
    """What holds now."""

    model: str
    """Its name on the wire."""
    model_provider: str
    effort: str | None
    """How hard the model was told to think; None where it was told nothing."""
    approval_policy: str
    """In Codex's words; `posture` is what holds."""
    posture: Posture
    permission_mode: str
    """The rules' last line; `plan` exactly while the phase is `planning`."""
    phase: str
    sandbox_policy: dict[str, Any]
    cwd: str
    """Where commands run."""
    approvals_reviewer: str = "user"
    collaboration_mode: dict[str, Any]
    """Plan mode, model and effort as Codex groups them."""


class ThreadSettingsUpdateParams(Wishes, rename="camel", frozen=True, kw_only=True):
    thread_id: str


class ThreadSettingsUpdateResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread_settings: ThreadSettings
    """Ours: Codex answers nothing."""
