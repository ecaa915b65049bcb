"""How does the model write a whole file?"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import Walls
from daedal.tools.changing import Changer
from daedal.tools.errors import Refused
from daedal.tools.files import load
from daedal.tools.previewing import ChangingTool
from daedal.tools.read_log import ReadLog
from daedal.tools.sizes import amount, line_count
from daedal.tools.substitution import encode
from daedal.tools.tool import written


class WriteInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file_path: str
    content: str


class Write(ChangingTool[WriteInput]):
    def __init__(self, spec: ToolSpec, walls: Walls, log: ReadLog) -> None:
        super().__init__(spec, WriteInput, walls)
        self._log = log
        self._changer = Changer(walls, log)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        return written(arguments, "file_path")

    async def act(self, call: WriteInput, bench: Bench) -> Outcome:
        path = self.place_to_write(call.file_path, bench)
        content = encode(call.content, "utf-8")
        before = load(path)
        if before is not None and self._log.has_changed(path, before.stat, before.content):
            raise Refused(
                f"File has been modified since read, either by the user or by a command: {path}."
                " Read it again before writing it."
            )
        lines = amount(line_count(content), "line")
        created = f"File created successfully at: {path} ({lines})"
        updated = f"The file {path} has been updated successfully. ({lines})"
        message = created if before is None else updated
        return await self._changer.change(path, content, before, message=message, bench=bench)
