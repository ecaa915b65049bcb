"""Which of our settings does a `.claude/settings.json` mean? Its hooks and permissions; nothing else of it counts."""

from collections.abc import Mapping
from typing import Any, cast

PERMISSIONS = (
    "allow",
    "ask",
    "deny",
    "defaultMode",
    "additionalDirectories",
    "disableBypassPermissionsMode",
)


def claude_settings(said: Mapping[str, Any]) -> dict[str, Any]:
    """The same words in our tables; whether they fit is judged later, as for any other file."""
    meant: dict[str, Any] = {}
    if "hooks" in said:
        meant["hooks"] = said["hooks"]
    permissions = said.get("permissions")
    if isinstance(permissions, dict):
        known = cast("dict[str, Any]", permissions)
        meant["permissions"] = {key: known[key] for key in PERMISSIONS if key in known}
    return meant
