"""How does the model load the instructions of a skill?"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.tool import BuiltinTool
from daedal.tools.worlds import Skills


class SkillInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    skill: str
    args: str | None = None


class Skill(BuiltinTool[SkillInput]):
    def __init__(self, spec: ToolSpec, skills: Skills) -> None:
        super().__init__(spec, SkillInput)
        self._skills = skills

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a skill is named, not its file
        return []

    async def act(self, call: SkillInput, bench: Bench) -> Outcome:
        known = [listing.name for listing in self._skills.listed()]
        # As a command is written: models take one for the other.
        name = call.skill.strip().removeprefix("/")
        if name in known:
            return await self._skills.load(name, call.args or "", bench)
        if not known:
            raise Refused("No skills are configured here (available: none). Do the work with the other tools.")
        raise Refused(f"There is no skill {name!r}. Available: {', '.join(known)}.")
