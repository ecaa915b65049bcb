"""What if somebody else writes the board while a run is at work? It is put back: only the tools change it.

The sandbox keeps commands away from it; this holds where there is no sandbox, and for whoever finds a way around it.
"""

import os
import re
from hashlib import sha256

from daedal.config import read_ordinary, replace_file
from daedal.delivery.deliverables import Board
from daedal.delivery.journal import Journal
from daedal.delivery.progress import Note, Tell
from daedal.delivery.status_file import BYTES_MAX, StatusFile, encoded
from daedal.protocol.catalogue import say

DRAFT = re.compile(r"status\.json\.[0-9]+\.[0-9a-f]{8}")


class BoardKeeper(StatusFile):
    """The status file during one run. What stands there when it begins counts as it stands."""

    def __init__(self, project: str, journal: Journal, tell: Tell) -> None:
        super().__init__(project)
        self._journal = journal
        self._tell = tell
        self._data: bytes | None = None
        """What must be there; None as long as nothing was."""
        self._board: Board | None = None

    def begin(self) -> None:
        """Says so where the file is not as the last run left it. Raises BrokenStatus."""
        _sweep(os.path.dirname(self.path))
        self._board = super().read()
        self._data = self._found()
        now = self._journal.now
        digest = _digest(self._data)
        if now.status_sha256 and digest not in (now.status_sha256, now.next_sha256):
            self._tell(Note(level="warning", message=say("delivery.changed_by_others", path=self.path)))
        self._journal.change(status_sha256=digest, next_sha256="")

    def read(self) -> Board | None:
        found = self._found()
        if found != self._data or os.path.islink(self.path):
            self._put_back(found)
        return self._board

    def write(self, board: Board) -> str:
        """Killed in between, either of the two is what a run wrote."""
        self.read()
        data = encoded(board)
        self._journal.change(next_sha256=_digest(data))
        digest = super().write(board)
        self._data, self._board = data, board
        self._journal.change(status_sha256=digest, next_sha256="")
        return digest

    def _found(self) -> bytes | None:
        if os.path.islink(self.path):
            return None  # Whatever it leads to is no board of ours.
        try:
            return read_ordinary(self.path, bytes_max=BYTES_MAX).data
        except OSError:
            return None

    def _put_back(self, found: bytes | None) -> None:
        aside = ""
        if found is not None:
            aside = f"{self.path}.foreign-{_digest(found)[:8]}"
            replace_file(aside, found, is_private=False)
        if self._data is None or os.path.islink(self.path):
            os.unlink(self.path)
        if self._data is not None:
            replace_file(self.path, self._data, is_private=False)
        words = "delivery.put_back" if aside else "delivery.put_back_removed"
        self._tell(Note(level="warning", message=say(words, path=self.path, aside=os.path.basename(aside))))


def _sweep(folder: str) -> None:
    """Drafts of a run that was killed while it wrote; nobody else is at work now."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        if DRAFT.fullmatch(name):
            os.unlink(os.path.join(folder, name))


def _digest(data: bytes | None) -> str:
    return sha256(data).hexdigest() if data is not None else ""
