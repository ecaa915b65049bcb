"""How does Claude come by what a command of its printed, when we ran it? It runs one that prints just that.

Claude itself must reach its model, and commands that it runs would share its way out. So our own Bash runs them, held
off the network as ever.
"""

import os
import re
import shlex
from contextlib import suppress

from daedal.protocol.content import ToolResult

OURS = ("Bash",)
"""Tools of Claude's that ours stand in for."""
EXITED = re.compile(r"Exit code (\d{1,3})\n")


class Prints:
    def __init__(self, home: str) -> None:
        """`home` is a folder that Claude may read."""
        self._folder = os.path.join(home, "printed")

    def command(self, result: ToolResult) -> str:
        """Prints what ours printed, and ends as it ended."""
        found = EXITED.match(result.content)
        code = int(found[1]) if found else int(result.is_error)
        path = self._path(result.tool_use_id)
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(result.content[found.end() :] if found else result.content)
        return f"/bin/cat {shlex.quote(path)}" + (f"; exit {code}" if code else "")

    def forget(self, call_id: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._path(call_id))

    def _path(self, call_id: str) -> str:
        return os.path.join(self._folder, re.sub(r"[^\w-]", "_", call_id))
