"""How are our walls said to Codex? As one of its permission profiles: what may be written, and what nobody may read."""

import os
from typing import Any

from daedal.protocol.confinement import Confinement, Network

PROFILE = "daedal"


def terms_of(walls: Confinement, workspace: str) -> dict[str, Any]:
    """What `thread/start` and `thread/resume` say about asking and walls."""
    # Codex would trust the project by itself, and then run what its own settings want.
    config: dict[str, Any] = {"projects": {folder: {"trust_level": "untrusted"} for folder in upwards(workspace)}}
    if not walls.enabled:
        return {"approvalPolicy": "untrusted", "sandbox": "danger-full-access", "config": config}
    files: dict[str, str] = {":root": "read"}
    files |= dict.fromkeys(walls.writable, "write")
    files |= dict.fromkeys(walls.read_only, "read")
    files |= dict.fromkeys(walls.unreadable, "none")
    config |= {
        "default_permissions": PROFILE,
        # Codex cannot keep commands to a list of domains; then they reach none.
        "permissions": {PROFILE: {"filesystem": files, "network": {"enabled": walls.network is Network.ON}}},
    }
    return {"approvalPolicy": "untrusted", "config": config}


def upwards(folder: str) -> list[str]:
    """The folder and all above it: the project may begin in any of them."""
    folders = [folder]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(parent)
    return folders


def stand(told: Any) -> bool:
    """Whether Codex says that there are walls, in its answer to a start or a resume."""
    return isinstance(told, dict) and told.get("type") not in (None, "dangerFullAccess")  # type: ignore[reportUnknownMemberType]
