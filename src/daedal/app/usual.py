"""What holds for threads that say nothing else? As the settings have it, and the administrator."""

import os

from daedal.app.settings import Settings
from daedal.app.startup import Startup
from daedal.engine import Usual
from daedal.permissions import PermissionSettings


def usual_of(startup: Startup) -> Usual:
    own, managed = startup.settings.permissions, startup.managed.permissions if startup.managed else None
    mode = own.default_mode
    if managed is not None and managed.default_mode != PermissionSettings().default_mode:
        mode = managed.default_mode
    forbids = any(said is not None and said.disable_bypass_permissions_mode is not None for said in (own, managed))
    return Usual(
        mode="default" if forbids and mode == "bypassPermissions" else mode,
        is_walled=startup.settings.sandbox.enabled and os.environ.get("DAEDAL_NO_SANDBOX") != "1",
        forbids_bypass=forbids,
        keeps_walls=startup.settings.sandbox.enabled and _is_kept(startup),
    )


def _is_kept(startup: Startup) -> bool:
    """Whether the administrator wants walls: they wrote so, or let nobody go around the rules."""
    managed = startup.managed
    if managed is None:
        return False
    if managed.permissions.disable_bypass_permissions_mode is not None:
        return True
    from daedal.config import OriginKind, load_files

    origin = load_files(Settings, startup.files, {}).origins.get("sandbox.enabled")
    return origin is not None and origin.kind is OriginKind.MANAGED
