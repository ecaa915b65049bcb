"""How does a tool change a file? What was there is kept first, then the new content is put, then it is remembered."""

from daedal.protocol.seams import Bench, Outcome, PreImage
from daedal.sandbox import Walls
from daedal.tools.diff import change
from daedal.tools.files import Loaded
from daedal.tools.looking import Looking
from daedal.tools.read_log import ReadLog
from daedal.tools.replacing import replace_file


class Changer:
    """Changes files on behalf of one thread, inside its walls."""

    def __init__(self, walls: Walls, log: ReadLog) -> None:
        self._walls = walls
        self._log = log

    async def change(self, path: str, content: bytes, before: Loaded | None, *, message: str, bench: Bench) -> Outcome:
        """Returns the message together with the difference. Between keeping and putting nothing is awaited."""
        old = None if before is None else before.content
        if isinstance(bench, Looking):
            return Outcome(content=message, changes=[change(path, old, content)])
        await bench.keep(PreImage(path=path, content=old, mode=None if before is None else before.mode))
        may_make = _anywhere if bench.is_let_out else self._walls.may_make
        self._log.note(path, replace_file(path, content, before, may_make), content)
        return Outcome(content=message, changes=[change(path, old, content)], touched=[path])


def _anywhere(folder: str) -> bool:  # noqa: ARG001 - a person let this call out
    return True
