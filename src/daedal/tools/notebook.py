"""What is in a notebook, and where? Its cells with the places they take in the text, so that one can be changed alone.

Nothing is written anew that was not asked for: whatever Jupyter or anybody else chose for indentation, order, escapes
and numbers stays, because everything but the one cell is the same text as before.
"""

import json
import re
from typing import Any, cast

from msgspec import Struct

from daedal.tools.errors import Refused

NOTEBOOK_BYTES_MAX = 33_554_432
VALUES_MAX = 1_000_000
"""A value takes many times the memory of the few bytes in which it can be written."""
ENDING = ".ipynb"
BOM = b"\xef\xbb\xbf"

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_decode = json.JSONDecoder().raw_decode


class Span(Struct, frozen=True):
    """A value in the text, from its first character to the one after its last."""

    start: int
    end: int
    value: Any


class Cell(Struct, frozen=True, kw_only=True):
    name: str
    """Its id; where it has none, `cell-` and its place from 0."""
    kind: str
    source: str
    is_list: bool
    """Whether the source is written line by line."""
    outputs: list[dict[str, Any]]
    span: Span


class Notebook(Struct, frozen=True, kw_only=True):
    text: str
    cells: list[Cell]
    array: Span
    """All cells together, with their brackets; its value are their spans."""
    has_ids: bool
    """Whether its format knows ids: from 4.5 on."""
    language: str


class Malformed(Exception):
    """What is wrong with it, in half a sentence."""


def parse(content: bytes) -> Notebook:
    """Raises Malformed."""
    if _is_crowded(content):
        raise Malformed(f"it holds more than {VALUES_MAX} values")
    try:
        text = content.removeprefix(BOM).decode("utf-8")
        start = _after_blank(text, 0)
        if text[start : start + 1] != "{":
            raise Malformed("it is no JSON object")
        top, end = _walk(text, start, in_parts="cells")
        if _after_blank(text, end) != len(text):
            raise json.JSONDecodeError("extra data", text, end)
    except UnicodeDecodeError as error:
        raise Malformed("it is not UTF-8") from error
    except RecursionError as error:
        raise Malformed("it is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Malformed(f"it is no JSON: {error.msg[0].lower()}{error.msg[1:]} in line {error.lineno}") from error
    except ValueError as error:  # a number with thousands of digits
        raise Malformed(f"it is no JSON that can be read: {error}") from error
    return _notebook(text, top)


def _is_crowded(content: bytes) -> bool:
    """Whether there are too many values in it. Each has a comma, or the bracket that opens its list, before it.

    Those in strings count only where it matters: a table or a page in an output is full of them.
    """
    if _marks(content) <= VALUES_MAX:
        return False
    quotes = content.count(b'"') - content.count(b'\\"')
    return quotes > 2 * VALUES_MAX or _marks(_STRING.sub(b"", content)) > VALUES_MAX


def _marks(content: bytes) -> int:
    return max(content.count(b","), content.count(b"[") + content.count(b"{"))


def refusal(path: str, malformed: Malformed) -> Refused:
    return Refused(
        f"{path} is no notebook that can be read: {malformed}."
        " Read it with `limit` to see its text, and repair it with Edit."
    )


def members(text: str, start: int) -> dict[str, Span]:
    """The members of the object that starts there. Raises ValueError, or Malformed where one stands twice."""
    return _walk(text, start, in_parts="")[0]


def elements(text: str, start: int) -> tuple[list[Span], int]:
    """The elements of the array that starts there, and where it ends. Raises ValueError."""
    found: list[Span] = []
    place = _after_blank(text, start + 1)
    if text[place : place + 1] == "]":
        return found, place + 1
    while True:
        value, end = _decode(text, place)
        found.append(Span(place, end, value))
        place = _after_blank(text, end)
        if text[place : place + 1] == "]":
            return found, place + 1
        place = _after_blank(text, _expected(text, place, ","))


def _walk(text: str, start: int, *, in_parts: str) -> tuple[dict[str, Span], int]:
    """The array under `in_parts` comes as the spans of its elements, so that nothing is decoded twice."""
    found: dict[str, Span] = {}
    place = _after_blank(text, start + 1)
    if text[place : place + 1] == "}":
        return found, place + 1
    while True:
        key, place = _decode(text, place)
        if not isinstance(key, str) or key in found:
            raise Malformed(f"its key {key!r} stands twice" if isinstance(key, str) else "a key of it is no text")
        place = _after_blank(text, _expected(text, place, ":"))
        is_parted = key == in_parts and text[place : place + 1] == "["
        value, end = elements(text, place) if is_parted else _decode(text, place)
        found[key] = Span(place, end, value)
        place = _after_blank(text, end)
        if text[place : place + 1] == "}":
            return found, place + 1
        place = _after_blank(text, _expected(text, place, ","))


def _after_blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _expected(text: str, place: int, character: str) -> int:
    place = _after_blank(text, place)
    if text[place : place + 1] != character:
        raise json.JSONDecodeError(f"expecting {character!r}", text, place)
    return place + 1


def _notebook(text: str, top: dict[str, Span]) -> Notebook:
    array = top.get("cells")
    if array is None and "worksheets" in top:
        raise Malformed("it is in an old format; `jupyter nbconvert --to notebook --inplace` brings it up to date")
    if array is None or text[array.start] != "[":
        raise Malformed("it has no list `cells`")
    major, minor = (_number(top.get(key)) for key in ("nbformat", "nbformat_minor"))
    cells = [_cell(index, span) for index, span in enumerate(cast("list[Span]", array.value))]
    return Notebook(
        text=text, cells=cells, array=array, has_ids=(major, minor) >= (4, 5), language=_language(top.get("metadata"))
    )


def _cell(index: int, span: Span) -> Cell:
    value = span.value
    if not isinstance(value, dict):
        raise Malformed(f"its cell {index} is no object")
    value = cast("dict[str, Any]", value)
    kind, source, name = value.get("cell_type"), value.get("source"), value.get("id")
    if not isinstance(kind, str) or kind not in ("code", "markdown", "raw"):
        raise Malformed(f"its cell {index} has no `cell_type` that is known")
    outputs = value.get("outputs")
    return Cell(
        name=name if isinstance(name, str) and name else f"cell-{index}",
        kind=kind,
        source=_source(index, source),
        is_list=isinstance(source, list),
        outputs=cast("list[dict[str, Any]]", [each for each in cast("list[Any]", outputs) if isinstance(each, dict)])
        if isinstance(outputs, list)
        else [],
        span=span,
    )


def _source(index: int, source: object) -> str:
    text = joined(source)
    if text is None:
        raise Malformed(f"the `source` of its cell {index} is neither a text nor a list of texts")
    return text


def joined(value: object) -> str | None:
    """Text that may be written line by line; None where it is no text."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(line, str) for line in cast("list[Any]", value)):
        return "".join(cast("list[str]", value))
    return None


def _number(span: Span | None) -> int:
    return span.value if span is not None and type(span.value) is int else 0


def _language(span: Span | None) -> str:
    """Which one its code is written in, where that is not Python."""
    value: object = None if span is None else span.value
    for key in ("language_info", "name"):
        value = cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None
    is_told = isinstance(value, str) and value != "python" and value.isprintable()
    return str(value) if is_told else ""
