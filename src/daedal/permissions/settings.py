"""What can be set about permissions? The table `[permissions]`, with the keys that users of other agents know."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

DefaultMode = Literal["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk"]
WriterMode = Literal["ask", "allow", "deny"]

_NARROWS = {"additive": True}
"""Rules that only narrow may come from any project, and add up."""
_WIDENS = {"trusted_only": True, "additive": True}
_TRUSTED_ONLY = {"trusted_only": True}
_USER_ONLY = {"user_only": True}


class PermissionSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    allow: Annotated[list[str], Meta(description="Calls that need no asking.", extra=_WIDENS)] = []
    ask: Annotated[
        list[str], Meta(description="Calls that are asked for even where a rule allows them.", extra=_NARROWS)
    ] = []
    deny: Annotated[list[str], Meta(description="Calls that are refused in every mode.", extra=_NARROWS)] = []
    mode: Annotated[
        WriterMode,
        Meta(description="What happens to a call that changes something when no rule speaks.", extra=_TRUSTED_ONLY),
    ] = "ask"
    default_mode: Annotated[
        DefaultMode,
        Meta(description="The last line of the rules: what happens when none of them speaks.", extra=_TRUSTED_ONLY),
    ] = field(default="default", name="defaultMode")
    additional_directories: Annotated[
        list[str],
        Meta(description="Folders beside the workspace in which reading is silent.", extra=_WIDENS),
    ] = field(default_factory=list[str], name="additionalDirectories")
    disable_bypass_permissions_mode: Annotated[
        Literal["disable"] | None,
        Meta(description="`disable` forbids bypassPermissions and --approval yolo."),
    ] = field(default=None, name="disableBypassPermissionsMode")
    allow_managed_permission_rules_only: Annotated[
        bool, Meta(description="Only the rules of the managed settings count.", extra=_USER_ONLY)
    ] = field(default=False, name="allowManagedPermissionRulesOnly")
