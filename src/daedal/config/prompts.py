"""What does a prompt become before the model sees it? A custom command its words, a reference what it refers to.

A plain prompt, which most are, costs two looks at its characters here: the rest is loaded when something is to be done.
"""

import asyncio
import os
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from daedal.config.skill_settings import SkillSettings
from daedal.protocol.prompts import (
    CommandInfo,
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.seams import Prepared

Rules = Callable[[str, Sequence[str]], Callable[[str], bool]]


def nothing_denied(workspace: str, deny: Sequence[str]) -> Callable[[str], bool]:
    del workspace, deny
    return lambda _: False


class FilePrompts:
    """The `Prompts` seam over the file system. For what a person typed: a reference in it reads by their word."""

    def __init__(
        self,
        closed: Callable[[], Sequence[str]],
        rules: Rules = nothing_denied,
        skills: SkillSettings = SkillSettings(),  # noqa: B008 - it never changes
    ) -> None:
        """`closed` names files and folders that no reference may reach: saved keys, the ledger.

        `rules` makes, for a workspace and the thread's own deny rules, what tells whether a file may be read.
        """
        self._closed = closed
        self._rules = rules
        self._skills = skills

    async def prepare(self, text: str, *, workspace: str, cwd: str, deny: Sequence[str] = ()) -> Prepared:
        """Raises UsageError where it begins like a command and there is no such command."""
        if not text.startswith("/") and "@" not in text:
            return Prepared(text=text)
        from daedal.config.preparing import Ground, is_plain, prepared

        if is_plain(text):
            return Prepared(text=text)
        ground = Ground(
            workspace=workspace,
            cwd=cwd,
            skills=self._skills,
            closed=self._closed(),
            is_denied=self._rules(workspace, deny),
        )
        # Folders may be slow, or far away.
        return await asyncio.to_thread(prepared, text, ground)

    def commands(self, params: CommandListParams) -> CommandListResponse:
        from daedal.config.command_folders import command_folders
        from daedal.config.commands import listed
        from daedal.config.skills import SkillShelf

        workspace = params.cwd or os.getcwd()
        found = listed(command_folders(workspace))
        taken = {command.name for command in found.data}
        skills = [
            CommandInfo(
                name=skill.name,
                description=skill.description,
                argument_hint=skill.argument_hint,
                source=skill.source,
                path=skill.path,
            )
            for skill in SkillShelf(workspace, self._skills).listed()
            if skill.name not in taken
        ]
        return replace(found, data=[*found.data, *skills])

    def complete(self, params: ReferenceCompleteParams) -> ReferenceCompleteResponse:
        """One level of a folder, never a walk."""
        from daedal.config.completion import complete

        return complete(params.prefix, params.cwd or os.getcwd())
