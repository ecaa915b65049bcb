"""Which settings are there? Each room's own, gathered under their table names."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from daedal.config import SkillSettings
from daedal.engine import AgentSettings
from daedal.permissions import PermissionSettings
from daedal.providers import AuthSettings, LoginSettings, NetworkSettings, ProviderSettings
from daedal.sandbox import SandboxSettings
from daedal.tools import ToolSettings

TRUSTED_ONLY = {"trusted_only": True}
LENIENT = {"lenient": True}
"""One mistake in them must not lift all the others, nor stop the program."""


class Settings(Struct, frozen=True, kw_only=True):
    default_model: Annotated[
        str,
        Meta(
            description="The model to use: a provider's name, a model's name, or `provider/model`.", extra=TRUSTED_ONLY
        ),
    ] = ""
    language: Annotated[
        Literal["en", "zh", ""],
        Meta(
            description="The language of what is said to you: `--lang` comes before it; empty leaves it to `$LANG`.",
            extra={"user_only": True},
        ),
    ] = ""
    agent: AgentSettings = AgentSettings()
    providers: Annotated[list[ProviderSettings], Meta(description="Further model endpoints.", extra=TRUSTED_ONLY)] = []
    logins: Annotated[
        list[LoginSettings], Meta(description="Where `daedal auth login` logs in.", extra={"user_only": True})
    ] = []
    auth: Annotated[AuthSettings, Meta(extra=TRUSTED_ONLY)] = AuthSettings()
    tools: ToolSettings = ToolSettings()
    skills: SkillSettings = SkillSettings()
    network: Annotated[NetworkSettings, Meta(extra=TRUSTED_ONLY)] = NetworkSettings()
    permissions: Annotated[PermissionSettings, Meta(extra=LENIENT)] = PermissionSettings()
    sandbox: Annotated[SandboxSettings, Meta(extra=LENIENT)] = SandboxSettings()
    hooks: Annotated[
        list[dict[str, Any]] | dict[str, list[Any]],
        Meta(
            description="Commands that run at events: a list with `hook_event_name`, or tables named after the event.",
            extra={**TRUSTED_ONLY, **LENIENT, "additive": True, "keyed_by": "hook_event_name"},
        ),
    ] = []
    plugins: Annotated[
        list[dict[str, Any]],
        Meta(
            description="MCP servers: tables with `name` and `command`, or `name` and `url`.",
            extra={**TRUSTED_ONLY, **LENIENT, "additive": True},
        ),
    ] = []
