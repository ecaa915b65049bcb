"""What does a prompt refer to? Each `@path` that exists becomes a block of its own; everything else stays text.

Reading is by the person's own word, so it does not pass the gate; what came with a command's file reaches less. A file
that cannot be read is told to the person and never fails the turn.
"""

import os
import stat

from msgspec import Struct

from daedal.config.command_template import Rendered
from daedal.config.fences import Fences
from daedal.config.file_block import Block, file_block
from daedal.config.folder_block import folder_block
from daedal.config.legible import legible
from daedal.config.mentions import Candidate, next_mention
from daedal.protocol.catalogue import say

BYTES_MAX = 1_048_576
"""Of everything that one prompt refers to."""
REFERENCES_MAX = 100
LOOKED_UP_MAX = 2_000
"""Mentions whose path is looked up; a long text can hold many that are none."""


class Target(Struct, frozen=True):
    """What a mention leads to."""

    path: str
    """As it is shown: absolute, or from the working directory."""
    real: str
    """Without links in it."""
    status: os.stat_result
    lines: tuple[int, int] | None
    end: int


class References:
    """Of one prompt."""

    def __init__(self, prompt: Rendered, *, cwd: str, fences: Fences) -> None:
        self.attachments: list[str] = []
        self.notices: list[str] = []
        self._prompt = prompt
        self._cwd = cwd
        self._fences = fences
        self._bytes_left = BYTES_MAX
        self._seen: set[tuple[str, tuple[int, int] | None]] = set()

    def resolve(self) -> None:
        text, at = self._prompt.text, 0
        for _ in range(LOOKED_UP_MAX):
            mention = next_mention(text, at)
            if mention is None:
                return
            target = self._target(mention.candidates)
            at = target.end if target else mention.start + 1
            if target and not self._is_taken(target, mention.start):
                return
        if next_mention(text, at):
            self.notices.append(say("config.reference.too_many", limit=LOOKED_UP_MAX))

    def _target(self, candidates: list[Candidate]) -> Target | None:
        for candidate in candidates:
            path = os.path.expanduser(candidate.path) if candidate.path.startswith("~/") else candidate.path
            try:
                real = os.path.realpath(os.path.join(self._cwd, path))
                status = os.stat(os.path.join(self._cwd, path))
            except (OSError, ValueError):
                continue
            return Target(path, real, status, candidate.lines, candidate.end)
        return None

    def _is_taken(self, target: Target, start: int) -> bool:
        """False where there are too many to go on."""
        if (target.real, target.lines) in self._seen:
            return True
        if len(self._seen) == REFERENCES_MAX:
            self.notices.append(say("config.reference.too_many", limit=REFERENCES_MAX))
            return False
        self._seen.add((target.real, target.lines))
        is_typed = self._prompt.is_typed(start, target.end)
        refusal = self._fences.refusal(target.real, target.status, is_typed=is_typed)
        if refusal is not None:
            self._leave_out(target.path, refusal)
        elif self._bytes_left <= 0:
            self._leave_out(target.path, say("config.reference.no_room", limit=BYTES_MAX))
        else:
            self._attach(target)
        return True

    def _attach(self, target: Target) -> None:
        try:
            block = self._block(target)
        except OSError as error:
            self._leave_out(target.path, error.strerror or str(error))
            return
        if block.text is not None:
            self._bytes_left -= len(block.text.encode("utf-8", "replace"))
            self.attachments.append(block.text)
        if block.notice is not None:
            self.notices.append(block.notice)

    def _block(self, target: Target) -> Block:
        if stat.S_ISDIR(target.status.st_mode):
            return folder_block(target.path, target.real)
        if not stat.S_ISREG(target.status.st_mode):
            raise OSError(0, say("config.reference.not_ordinary"))
        return file_block(target.path, target.real, target.lines, self._fences, bytes_max=self._bytes_left)

    def _leave_out(self, path: str, reason: str) -> None:
        self.notices.append(say("config.reference.left_out", path=legible(path), reason=reason))
