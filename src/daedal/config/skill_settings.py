"""Which settings do skills have?"""

from typing import Annotated

from msgspec import Meta, Struct


class SkillSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table `[skills]`. The lists add up over all sources, so that no project lifts what the user hides."""

    paths: Annotated[
        list[str],
        Meta(
            description="More folders with skills in them; relative ones count from the project's root.",
            extra={"trusted_only": True, "additive": True},
        ),
    ] = []
    excluded_paths: Annotated[
        list[str],
        Meta(description="Folders whose skills are hidden; the folders stay as they are.", extra={"additive": True}),
    ] = []
    disabled_skills: Annotated[
        list[str], Meta(description="Skills that are hidden from people and models.", extra={"additive": True})
    ] = []
