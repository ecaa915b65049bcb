"""What does the model read of a notebook? Its cells with their ids, and what came out of them, within bounds."""

import re
from binascii import Error as NotBase64
from collections.abc import Iterator
from typing import Any, cast

from msgspec import Struct

from daedal.protocol.seams import ImageContent
from daedal.tools.errors import TRUNCATED, Refused
from daedal.tools.images import IMAGE_BYTES_MAX, shown
from daedal.tools.notebook import Cell, Notebook, joined
from daedal.tools.sizes import amount
from daedal.tools.tool import encodable

OUTPUT_CHARACTERS_MAX = 10_000
"""Of all outputs of one cell."""
IMAGES_MAX = 8
IMAGES_BYTES_MAX = 4_000_000
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
TEXTS = ("text/markdown", "text/plain", "text/latex", "application/json", "text/html")

COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
"""What a terminal would take for colours and a model for noise."""


class View(Struct, frozen=True):
    content: str
    images: list[ImageContent]


class Viewer:
    """Draws a notebook once."""

    def __init__(self, bytes_max: int) -> None:
        self._room = bytes_max
        self._images: list[ImageContent] = []
        self._image_room = IMAGES_BYTES_MAX

    def view(self, notebook: Notebook, first: int, count: int | None) -> View:
        """`count` cells from `first` on, which counts from 1; what is too much is left for another call."""
        total = len(notebook.cells)
        if total == 0:
            return View("(a notebook without cells)", [])
        if first > total:
            return View(f"(offset {first} is past the end: the notebook has {amount(total, 'cell')})", [])
        wanted = notebook.cells[first - 1 : None if count is None else first - 1 + count]
        parts: list[str] = []
        for cell in wanted:
            # A string in JSON may hold half a character, which can be counted and sent nowhere.
            text = encodable(self._cell(cell, notebook.language))
            self._room -= len(text.encode()) + 1
            if self._room < 0 and parts:
                break
            parts.append(_cut(text, self._room) if self._room < 0 else text)
        last = first + len(parts) - 1
        span = amount(total, "cell") if (first, last) == (1, total) else f"cells {first}-{last} of {total}"
        is_full = len(parts) < len(wanted)
        closing = f"({span}) {TRUNCATED} go on with offset {last + 1}, which counts cells" if is_full else f"({span})"
        return View("\n".join((*parts, closing)), self._images)

    def _cell(self, cell: Cell, language: str) -> str:
        kind = "" if cell.kind == "code" else f"<cell_type>{cell.kind}</cell_type>"
        if cell.kind == "code" and language:
            kind = f"<language>{language}</language>"
        text = f'<cell id="{cell.name}">{kind}{cell.source}</cell id="{cell.name}">'
        outputs = "\n".join(filter(None, self._outputs(cell)))
        if len(outputs) > OUTPUT_CHARACTERS_MAX:
            outputs = f"{outputs[:OUTPUT_CHARACTERS_MAX]}\n{TRUNCATED} outputs of {len(outputs)} characters"
        return f"{text}\n<output>\n{outputs}\n</output>" if outputs else text

    def _outputs(self, cell: Cell) -> Iterator[str]:
        for output in cell.outputs:
            match output.get("output_type"):
                case "stream":
                    yield _plain(joined(output.get("text")))
                case "error":
                    trace = joined([f"{line}\n" for line in _list(output.get("traceback"))])
                    yield _plain(trace) or f"{output.get('ename')}: {output.get('evalue')}"
                case _:
                    yield self._display(output.get("data"))

    def _display(self, data: object) -> str:
        """A thing that was shown in several forms: as a picture, or else as the plainest text."""
        if not isinstance(data, dict):
            return ""
        forms = cast("dict[str, Any]", data)
        for kind in PICTURES:
            encoded = joined(forms.get(kind))
            if encoded is not None and (line := self._picture(kind, encoded)):
                return line
        for kind in TEXTS:
            if (text := joined(forms.get(kind))) is not None:
                return _plain(text)
        return f"({', '.join(map(str, forms))[:200]})" if forms else ""

    def _picture(self, kind: str, encoded: str) -> str:
        from base64 import b64decode

        if len(encoded) > IMAGE_BYTES_MAX * 3 // 2:
            return f"({kind}, too large to be shown)"
        try:
            data = b64decode(encoded.encode("ascii", "replace"))
            picture = shown(data, "the picture")
        except (NotBase64, ValueError):
            return ""
        except Refused:
            return f"({kind}, too large to be shown)"
        if picture is None:
            return ""
        about, image = picture
        if len(self._images) >= IMAGES_MAX or len(data) > self._image_room:
            return f"({about}, not shown: the notebook has many; read its cell alone with `offset` and `limit`)"
        self._image_room -= len(data)
        self._images.append(image)
        return f"({about}, shown as image {len(self._images)})"


def _plain(text: str | None) -> str:
    return COLOURS.sub("", text or "").rstrip("\n")


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _cut(text: str, missing: int) -> str:
    kept = text.encode()[: missing - 1 - len(TRUNCATED)].decode("utf-8", "ignore")
    return f"{kept}\n{TRUNCATED}"
