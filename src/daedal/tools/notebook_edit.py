"""How does the model change a notebook? Cell by cell."""

import os
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import Walls
from daedal.tools.changing import Changer
from daedal.tools.errors import Refused
from daedal.tools.files import Loaded, load, open_file
from daedal.tools.notebook import BOM, ENDING, NOTEBOOK_BYTES_MAX, Cell, Malformed, Notebook, parse, refusal
from daedal.tools.notebook_cells import deleted, inserted, replaced
from daedal.tools.previewing import ChangingTool
from daedal.tools.read_log import ReadLog
from daedal.tools.sizes import amount, line_count, size
from daedal.tools.substitution import encode
from daedal.tools.tool import written

NAMES_MAX = 20


class NotebookEditInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    notebook_path: str
    new_source: str
    cell_id: str | None = None
    cell_type: Literal["code", "markdown"] | None = None
    edit_mode: Literal["replace", "insert", "delete"] | None = None


class NotebookEdit(ChangingTool[NotebookEditInput]):
    def __init__(self, spec: ToolSpec, walls: Walls, log: ReadLog) -> None:
        super().__init__(spec, NotebookEditInput, walls)
        self._log = log
        self._changer = Changer(walls, log)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        return written(arguments, "notebook_path")

    async def act(self, call: NotebookEditInput, bench: Bench) -> Outcome:
        path = self.place_to_write(call.notebook_path, bench)
        if not path.endswith(ENDING):
            raise Refused(f"{path} is no notebook: its name does not end in {ENDING}. Use Edit.")
        before = self._loaded(path, bench)
        try:
            text, message = changed(parse(before.content), call)
        except Malformed as malformed:
            raise refusal(path, malformed) from malformed
        content = encode(text, "utf-8")
        if before.content.startswith(BOM):
            content = BOM + content
        return await self._changer.change(path, content, before, message=f"{message} in {path}.", bench=bench)

    def _loaded(self, path: str, bench: Bench) -> Loaded:
        before = load(path)
        if before is None:
            os.close(open_file(path, bench.cwd)[0])  # raises, and says which names are near
            raise Refused(f"{path} appeared just now. Read it, then repeat the change.")
        if not bench.is_by_hand and not self._log.has_seen(path):
            raise Refused(f"File has not been read yet: {path}. Read it before changing it.")
        if self._log.has_changed(path, before.stat, before.content):
            raise Refused(
                f"File has been modified since read, either by the user or by a command: {path}."
                " Read it again before changing it."
            )
        if len(before.content) > NOTEBOOK_BYTES_MAX:
            limit = size(NOTEBOOK_BYTES_MAX)
            raise Refused(f"{path} has {size(len(before.content))}, above the {limit} that a notebook may have here.")
        return before


def changed(notebook: Notebook, call: NotebookEditInput) -> tuple[str, str]:
    """The notebook's new text, and what was done. Raises Refused or Malformed."""
    cell = None if call.cell_id is None else _find(notebook, call.cell_id)
    lines = amount(line_count(encode(call.new_source, "utf-8")), "line")
    if call.edit_mode == "insert":
        if call.cell_type is None:
            raise Refused("edit_mode insert needs `cell_type`: code or markdown.")
        text, name = inserted(notebook, cell, call.new_source, call.cell_type)
        place = "at the top" if cell is None else f"after cell {cell.name}"
        return text, f"Inserted {call.cell_type} cell{f' {name}' if name else ''} {place} ({lines})"
    if cell is None:
        mode = call.edit_mode or "replace"
        raise Refused(f"edit_mode {mode} needs `cell_id`. {_known(notebook)}")
    if call.edit_mode == "delete":
        return deleted(notebook, cell), f"Deleted cell {cell.name}"
    text = replaced(notebook, cell, call.new_source, call.cell_type)
    return text, f"Updated {call.cell_type or cell.kind} cell {cell.name} ({lines})"


def _find(notebook: Notebook, name: str) -> Cell:
    """By its id, or by `cell-` and its place."""
    found = [cell for cell in notebook.cells if cell.name == name]
    if len(found) > 1:
        places = ", ".join(f"cell-{index}" for index, cell in enumerate(notebook.cells) if cell.name == name)
        raise Refused(f"Several cells have the id {name}. Name one of them by its place: {places}.")
    if found:
        return found[0]
    place = name.removeprefix("cell-")
    if place != name and place.isascii() and place.isdecimal() and int(place[:9]) < len(notebook.cells):
        return notebook.cells[int(place[:9])]
    raise Refused(f"No cell has the id {name!r}. {_known(notebook)}")


def _known(notebook: Notebook) -> str:
    if not notebook.cells:
        return "The notebook has no cells yet: use edit_mode insert."
    names = ", ".join(cell.name for cell in notebook.cells[:NAMES_MAX])
    return f"Cells: {names}{', …' if len(notebook.cells) > NAMES_MAX else ''}."
