"""How does the model change a part of a file?"""

import os
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import Walls
from daedal.tools.changing import Changer
from daedal.tools.encodings import is_binary
from daedal.tools.errors import Refused
from daedal.tools.files import Loaded, load, open_file
from daedal.tools.previewing import ChangingTool
from daedal.tools.read_log import ReadLog
from daedal.tools.sizes import amount, line_count
from daedal.tools.substitution import encode, locate
from daedal.tools.tool import written

ECHO_CHARACTERS_MAX = 2000


class EditInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file_path: str
    old_string: str
    new_string: str
    replace_all: bool | None = None


class Edit(ChangingTool[EditInput]):
    def __init__(self, spec: ToolSpec, walls: Walls, log: ReadLog) -> None:
        super().__init__(spec, EditInput, walls)
        self._log = log
        self._changer = Changer(walls, log)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        return written(arguments, "file_path")

    async def act(self, call: EditInput, bench: Bench) -> Outcome:
        path = self.place_to_write(call.file_path, bench)
        if call.old_string == call.new_string:
            raise Refused("No changes to make: old_string and new_string are exactly the same.")
        before = load(path)
        if not call.old_string:
            return await self._create(path, call.new_string, before, bench)
        if before is None:
            os.close(open_file(path, bench.cwd)[0])  # raises, and says which names are near
            raise Refused(f"{path} appeared just now. Read it, then repeat the change.")
        return await self._change(path, call, before, bench)

    async def _create(self, path: str, text: str, before: Loaded | None, bench: Bench) -> Outcome:
        if before is not None and before.content:
            raise Refused("Cannot create new file - file already exists.")
        content = encode(text, "utf-8")
        message = f"File created successfully at: {path} ({amount(line_count(content), 'line')})"
        return await self._changer.change(path, content, before, message=message, bench=bench)

    async def _change(self, path: str, call: EditInput, before: Loaded, bench: Bench) -> Outcome:
        has_changed = self._log.has_changed(path, before.stat, before.content)
        if is_binary(before.content):
            raise Refused(f"{path} is a binary file and cannot be edited as text.")
        found = locate(before.content, call.old_string)
        echo = f"\nString: {_shortened(call.old_string)}"
        if found is None:
            hint = " The file has been modified since it was read: read it again." if has_changed else ""
            raise Refused(f"String to replace not found in file.{hint}{echo}")
        if found.count > 1 and not call.replace_all:
            raise Refused(
                f"Found {found.count} matches of the string to replace, but replace_all is false. To replace all"
                " occurrences, set replace_all to true. To replace only one occurrence, provide more context to"
                f" identify it uniquely.{echo}"
            )
        content = found.replaced(call.new_string)
        where = f"line {found.line}; {amount(line_count(content), 'line')}"
        message = f"The file {path} has been updated successfully. ({where})"
        if call.replace_all:
            message = f"The file {path} has been updated. All {amount(found.count, 'occurrence')} replaced. ({where})"
        if has_changed:
            message += (
                "\nNote: the file had been modified on disk since you read it; read it again before relying on it."
            )
        return await self._changer.change(path, content, before, message=message, bench=bench)


def _shortened(text: str) -> str:
    return text if len(text) <= ECHO_CHARACTERS_MAX else f"{text[:ECHO_CHARACTERS_MAX]}…"
