"""Which settings does a turn have?"""

from typing import Annotated, Literal

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
    reasoning_language: Annotated[
        Literal["auto", "zh", "en"],
        Meta(
            description="In which language new sessions are told to reason where one can see it; `auto` says nothing."
        ),
    ] = "auto"
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
    effort: Annotated[
        Literal["low", "medium", "high", "xhigh", "max", ""],
        Meta(description="How hard models that can think shall think; empty leaves it to them.", extra=TRUSTED_ONLY),
    ] = ""
    compact_ratio: Annotated[
        float,
        Meta(
            ge=0.1,
            le=1.0,
            description="A thread is folded once the model has read this share of its `context_window`.",
            extra=USER_ONLY,
        ),
    ] = 0.8
    planner_model: Annotated[
        str,
        Meta(
            description="A model that plans each request first, in a session of its own; empty for none.",
            extra=TRUSTED_ONLY,
        ),
    ] = ""
    planner_max_steps: Annotated[
        int, Meta(ge=0, description="Model calls in which a request is planned; 0 = no limit.", extra=USER_ONLY)
    ] = 0
    max_steps: Annotated[
        int, Meta(ge=0, description="Model calls in one turn before it is stopped; 0 = no limit.", extra=USER_ONLY)
    ] = 10_000
    approval_timeout_s: Annotated[
        float,
        Meta(gt=0, description="How long an approval request waits before it counts as declined.", extra=USER_ONLY),
    ] = 600.0
