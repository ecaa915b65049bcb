"""How is one cell of a notebook replaced, added or taken away? As text, written the way the notebook is written."""

import json
import os
import re

from msgspec import Struct

from daedal.tools.notebook import Cell, Notebook, Span, members

ESCAPED = re.compile(r"\\u(?:00[89a-f]|0[1-9a-f]|[1-9a-f])[0-9a-f]", re.IGNORECASE)


class Style(Struct, frozen=True):
    """What stands between the parts of an object: blanks and line ends."""

    lead: str
    between: str
    colon: str
    tail: str

    @property
    def unit(self) -> str:
        """How far one level is indented."""
        return self.lead[len(self.tail) :] if self.lead.startswith(self.tail) else ""

    def deeper(self) -> "Style":
        has_lines = "\n" in self.lead
        lead = self.lead + self.unit if has_lines else self.lead
        return Style(lead, lead if has_lines else self.between, self.colon, self.lead if has_lines else self.tail)

    def listed(self, items: list[str]) -> str:
        return f"[{self.lead}{f',{self.between}'.join(items)}{self.tail}]" if items else "[]"

    def written(self, pairs: dict[str, str]) -> str:
        inner = f",{self.between}".join(f"{json.dumps(key)}{self.colon}{value}" for key, value in pairs.items())
        return f"{{{self.lead}{inner}{self.tail}}}"


def style_of(text: str, span: Span) -> Style:
    """How the object is written that stands there."""
    values = list(members(text, span.start).values())
    if not values:
        return Style("", " ", ": ", "")
    lead = _blanks_from(text, span.start + 1)
    key_end = json.JSONDecoder().raw_decode(text, span.start + 1 + len(lead))[1]
    between = _blanks_from(text, text.index(",", values[0].end) + 1) if len(values) > 1 else lead
    return Style(lead, between, text[key_end : values[0].start], text[values[-1].end : span.end - 1])


def _blanks_from(text: str, start: int) -> str:
    end = start
    while end < len(text) and text[end] in " \t\r\n":
        end += 1
    return text[start:end]


def replaced(notebook: Notebook, cell: Cell, source: str, kind: str | None) -> str:
    """The notebook's text with another source in the cell, and perhaps another kind. What code gave before is gone."""
    text = notebook.text
    style = style_of(text, cell.span)
    pairs = {key: text[span.start : span.end] for key, span in members(text, cell.span.start).items()}
    pairs["source"] = _source(notebook, source, style, is_list=cell.is_list)
    kind = kind or cell.kind
    pairs["cell_type"] = json.dumps(kind)
    if kind == "code":
        pairs["execution_count"] = "null"
        pairs["outputs"] = "[]"
    else:
        pairs.pop("execution_count", None)
        pairs.pop("outputs", None)
    if kind != cell.kind:
        pairs = _in_order(pairs)
    return text[: cell.span.start] + style.written(pairs) + text[cell.span.end :]


def inserted(notebook: Notebook, after: Cell | None, source: str, kind: str) -> tuple[str, str]:
    """The notebook's text with a new cell after that one, or at the top; and the new cell's id, empty without one."""
    text, cells, array = notebook.text, notebook.cells, notebook.array
    name = _new_id(notebook) if notebook.has_ids else ""
    style = style_of(text, cells[0].span) if cells else _first_style(notebook)
    pairs = {"cell_type": json.dumps(kind), "metadata": "{}"}
    pairs["source"] = _source(notebook, source, style, is_list=all(cell.is_list for cell in cells))
    if kind == "code":
        pairs |= {"execution_count": "null", "outputs": "[]"}
    if name:
        pairs["id"] = json.dumps(name)
    new = style.written(_in_order(pairs))
    if not cells:
        return text[: array.start] + f"[{style.tail}{new}{_outer(notebook)}]" + text[array.end :], name
    spans = [cell.span for cell in cells]
    lead = _blanks_from(text, array.start + 1)
    between = _blanks_from(text, text.index(",", spans[0].end) + 1) if len(spans) > 1 else lead
    if after is None:
        place = spans[0].start
        return f"{text[:place]}{new},{between}{text[place:]}", name
    return f"{text[: after.span.end]},{between}{new}{text[after.span.end :]}", name


def deleted(notebook: Notebook, cell: Cell) -> str:
    text, spans = notebook.text, [each.span for each in notebook.cells]
    index = notebook.cells.index(cell)
    if len(spans) == 1:
        return text[: notebook.array.start] + "[]" + text[notebook.array.end :]
    if index == 0:
        return text[: spans[0].start] + text[spans[1].start :]
    return text[: spans[index - 1].end] + text[cell.span.end :]


def _source(notebook: Notebook, source: str, style: Style, *, is_list: bool) -> str:
    ascii_only = notebook.text.isascii() and ESCAPED.search(notebook.text) is not None
    if not is_list:
        return json.dumps(source, ensure_ascii=ascii_only)
    lines = [json.dumps(line, ensure_ascii=ascii_only) for line in re.findall(r"[^\n]*\n|[^\n]+", source)]
    return style.deeper().listed(lines)


def _in_order(pairs: dict[str, str]) -> dict[str, str]:
    """As Jupyter sorts them."""
    return {key: pairs[key] for key in sorted(pairs)}


def _new_id(notebook: Notebook) -> str:
    taken = {cell.name for cell in notebook.cells}
    while (name := os.urandom(4).hex()) in taken:
        pass
    return name


def _first_style(notebook: Notebook) -> Style:
    """Of a cell in a notebook that has none yet."""
    text = notebook.text
    start = text.index("{")
    return style_of(text, Span(start, text.rindex("}") + 1, None)).deeper().deeper()


def _outer(notebook: Notebook) -> str:
    """What stands before the closing bracket of all cells."""
    text = notebook.text
    top = style_of(text, Span(text.index("{"), text.rindex("}") + 1, None))
    return top.deeper().tail
