"""What is known about a skill before it is used, and once it is?"""

from msgspec import Struct

from daedal.config.kept_folders import Steering


class SkillInfo(Struct, frozen=True, kw_only=True):
    """A skill as lists show it. All of it is harmless to show, on one line each."""

    name: str
    description: str
    source: str
    """`project`, `user` or `configured`."""
    path: str
    argument_hint: str = ""
    runs_as_subagent: bool = False
    agent: str = ""
    """The type of that sub-agent; empty means the usual one."""
    model: str = ""
    """Its own choice, where that counts; empty says nothing, `inherit` is the model of whoever asks."""
    only_for_people: bool = False
    """The model is not told about it: somebody has to ask for it by name."""


class SkillsFound(Struct, frozen=True):
    skills: list[SkillInfo] = []
    """The project's first, and by name."""
    problems: list[str] = []
    """What is no skill, or counts only in part, and why."""
    steering: list[Steering] = []
    """What the project's would decide if they are trusted, or do decide because they are."""


class LoadedSkill(Struct, frozen=True):
    info: SkillInfo
    folder: str
    """What paths in it start from."""
    text: str
    """For the model: where it lies, then its instructions with the arguments filled in."""
