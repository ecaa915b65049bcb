"""Which settings does a turn have?"""

from typing import Annotated

from msgspec import Meta, Struct

USER_ONLY = {"user_only": True}
TRUSTED_ONLY = {"trusted_only": True}
"""A file that a stranger's project names could be any file of the user's."""


class AgentSettings(Struct, frozen=True, kw_only=True):
    """The table `[agent]`."""

    system_prompt: Annotated[
        str,
        Meta(
            description="Replaces Daedal's own system prompt; project instructions are still added.", extra=TRUSTED_ONLY
        ),
    ] = ""
    system_prompt_file: Annotated[str, Meta(description="A file to read `system_prompt` from.", extra=TRUSTED_ONLY)] = (
        ""
    )
    subagent_model: Annotated[
        str, Meta(description="The model of sub-agents that choose none; empty takes the parent's.", extra=TRUSTED_ONLY)
    ] = ""
    subagent_models: Annotated[
        dict[str, str],
        Meta(
            description="The model of a sub-agent by the name of its skill or type, before what that chooses itself.",
            extra=TRUSTED_ONLY,
        ),
    ] = {}
    max_steps: Annotated[
        int, Meta(ge=0, description="Model calls in one turn before it is stopped; 0 = no limit.", extra=USER_ONLY)
    ] = 10_000
    approval_timeout_s: Annotated[
        float,
        Meta(gt=0, description="How long an approval request waits before it counts as declined.", extra=USER_ONLY),
    ] = 600.0
