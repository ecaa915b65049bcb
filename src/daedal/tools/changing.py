"""How does a tool change a file? What was there is kept first, then the new content is put, then it is remembered."""

from daedal.protocol.seams import Bench, Outcome, PreImage
from daedal.tools.diff import change
from daedal.tools.files import Loaded
from daedal.tools.memory import ReadLog
from daedal.tools.replacing import replace_file


async def change_file(
    path: str, content: bytes, before: Loaded | None, *, message: str, bench: Bench, log: ReadLog
) -> Outcome:
    """Returns the message together with the difference. Between keeping and putting nothing is awaited."""
    old = None if before is None else before.content
    await bench.keep(PreImage(path=path, content=old, mode=None if before is None else before.mode))
    log.note(path, replace_file(path, content, before), content)
    return Outcome(content=message, changes=[change(path, old, content)], touched=[path])
