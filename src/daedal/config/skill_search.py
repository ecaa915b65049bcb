"""Which skills lie in some folders, and what does one say? A list reads only the beginning of each file."""

import os
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from daedal.config.command_template import render
from daedal.config.frontmatter import Malformed
from daedal.config.kept_files import fence_of, files_in, some_of
from daedal.config.kept_folders import SOURCES, KeptFolder
from daedal.config.legible import legible
from daedal.config.markdown_file import read_head, read_prompt
from daedal.config.skill_file import skill_info
from daedal.config.skill_info import LoadedSkill, SkillInfo, SkillsFound
from daedal.config.steering import Findings
from daedal.config.subagent_model import INHERIT
from daedal.protocol.catalogue import say

FILE = "SKILL.md"


class _Kept(Struct, frozen=True):
    info: SkillInfo
    path: str
    """As the file system knows it, whatever characters are in it."""
    fence: str | None


class SkillSearch:
    """One look at folders, those that outrank others first."""

    def __init__(
        self,
        folders: Sequence[KeptFolder],
        root: str,
        *,
        is_excluded: Callable[[str], bool],
        disabled: Collection[str],
    ) -> None:
        self._findings = Findings(root)
        self._is_excluded = is_excluded
        self._kept: dict[str, _Kept] = {}
        for folder in folders:
            here: dict[str, str] = {}
            for kept in self._in_folder(folder):
                name = kept.info.name
                if name in disabled:
                    continue
                if name in here:
                    self._findings.leave_out_twin(kept.path, name, here[name])
                elif name not in self._kept:
                    self._kept[name] = self._steered(kept, folder)
                here.setdefault(name, kept.path)

    def found(self) -> SkillsFound:
        infos = (kept.info for kept in self._kept.values())
        skills = sorted(infos, key=lambda info: (SOURCES.index(info.source), info.name))
        return SkillsFound(skills, self._findings.problems(), self._findings.steering)

    def load(self, name: str, arguments: str) -> LoadedSkill | None:
        """None where there is none of that name. Raises UsageError where it cannot be read."""
        kept = self._kept.get(name)
        if kept is None:
            return None
        body = read_prompt(kept.path, kept.fence)
        folder = legible(os.path.dirname(kept.path))
        text = f"Base directory of this skill: {folder}\n\n{render(body, arguments).text}"
        return LoadedSkill(kept.info, folder, text)

    def _in_folder(self, folder: KeptFolder) -> Iterator[_Kept]:
        if self._is_excluded(folder.path):
            return
        try:
            fence = fence_of(folder)
        except Malformed as error:
            self._findings.leave_out(folder.path, error)
            return
        paths = (path for path in files_in(folder, FILE, self._findings) if not self._is_excluded(path))
        for path in some_of(paths, folder, self._findings):
            try:
                yield _Kept(skill_info(read_head(path, fence), path, folder.source), path, fence)
            except Malformed as error:
                self._findings.leave_out(path, error)

    def _steered(self, kept: _Kept, folder: KeptFolder) -> _Kept:
        """Without a choice of model that nobody trusts."""
        model = kept.info.model
        if model in ("", INHERIT):
            return kept
        if self._findings.may_steer(folder, kept.path, say("config.kept.model", model=model)):
            return kept
        return replace(kept, info=replace(kept.info, model=""))
