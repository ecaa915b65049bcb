"""Which skills does a workspace have? `review/SKILL.md` is the skill `review`.

Of a name, the project's counts before the user's, and that before one from a configured folder. Where there is no such
folder, which every start finds out, nothing more is loaded.
"""

import os
from typing import TYPE_CHECKING

from daedal.config.home import project_root
from daedal.config.kept_folders import KeptFolder, kept_folders
from daedal.config.skill_settings import SkillSettings
from daedal.permissions import inside, inside_any
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

if TYPE_CHECKING:
    from daedal.config.skill_info import LoadedSkill, SkillInfo, SkillsFound
    from daedal.config.skill_search import SkillSearch


class SkillShelf:
    """Looks anew with each call."""

    def __init__(self, workspace: str, settings: SkillSettings) -> None:
        self._workspace = workspace
        self._settings = settings
        self._root = project_root(os.path.realpath(workspace))
        places = _places(settings.excluded_paths, self._root)
        self._excluded = list(dict.fromkeys([*places, *map(os.path.realpath, places)]))

    def listed(self) -> "list[SkillInfo]":
        search = self._search()
        return [] if search is None else search.found().skills

    def look(self) -> "SkillsFound":
        """With what is wrong about the others."""
        from daedal.config.skill_info import SkillsFound

        search = self._search()
        return SkillsFound() if search is None else search.found()

    def load(self, name: str, arguments: str = "") -> "LoadedSkill":
        """Raises UsageError where there is no such skill, or it cannot be read."""
        search = self._search()
        loaded = None if search is None else search.load(name, arguments)
        if loaded is None:
            is_disabled = name in self._settings.disabled_skills
            raise UsageError(say("config.skill.disabled" if is_disabled else "config.skill.unknown", name=name))
        return loaded

    def _search(self) -> "SkillSearch | None":
        folders = [*kept_folders(self._workspace, "skills", of_users=(".claude", ".agents")), *self._configured()]
        if not folders:
            return None
        from daedal.config.skill_search import SkillSearch

        return SkillSearch(folders, self._root, is_excluded=self._is_excluded, disabled=self._settings.disabled_skills)

    def _configured(self) -> list[KeptFolder]:
        # Whoever names it: what lies in the project came with the project.
        return [
            KeptFolder(path, "configured", self._root if inside(os.path.realpath(path), self._root) else None)
            for path in _places(self._settings.paths, self._root)
        ]

    def _is_excluded(self, path: str) -> bool:
        places = self._excluded
        return bool(places) and (inside_any(path, places) or inside_any(os.path.realpath(path), places))


def _places(written: list[str], root: str) -> list[str]:
    return [os.path.abspath(os.path.join(root, os.path.expanduser(path))) for path in written if path]
