"""Where do deliverables stand? In `.daedal/status.json`, replaced as a whole. A broken one is never touched."""

import os
import time

import msgspec

from daedal.config import read_ordinary, replace_file
from daedal.delivery.deliverables import Board, flaws
from daedal.delivery.errors import BrokenStatus
from daedal.protocol.catalogue import say

BYTES_MAX = 64 * 1024 * 1024


def today() -> str:
    return time.strftime("%Y-%m-%d")


def encoded(board: Board) -> bytes:
    return msgspec.json.format(msgspec.json.encode(board), indent=2) + b"\n"


class StatusFile:
    def __init__(self, project: str) -> None:
        self.path = os.path.join(project, ".daedal", "status.json")

    def read(self) -> Board | None:
        """None where there is none yet. Raises BrokenStatus, with a copy kept aside, where it cannot be understood."""
        try:
            contents = read_ordinary(self.path, bytes_max=BYTES_MAX)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise BrokenStatus(say("delivery.unreadable_status", path=self.path, why=error)) from error
        try:
            board = msgspec.json.decode(contents.data, type=Board)
            wrong = flaws(board.deliverables)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise self._broken(contents.data, str(error)) from error
        if wrong:
            raise self._broken(contents.data, "; ".join(wrong[:3]))
        return board

    def write(self, board: Board) -> str:
        """Whole or not at all. Returns the digest of what stands there now."""
        from hashlib import sha256

        data = encoded(board)
        replace_file(self.path, data, is_private=False)
        return sha256(data).hexdigest()

    def _broken(self, data: bytes, why: str) -> BrokenStatus:
        """The same content is kept once, however often it is met."""
        from hashlib import sha256

        aside = f"{self.path}.broken-{sha256(data).hexdigest()[:8]}"
        if not os.path.lexists(aside):
            replace_file(aside, data, is_private=False)
        return BrokenStatus(say("delivery.broken_status", path=self.path, why=why, aside=os.path.basename(aside)))
