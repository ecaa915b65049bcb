"""Where do vi's motions lead, and what do its text objects cover?"""

from collections.abc import Callable

from daedal.tui.editing.buffer import Buffer

FINDS = "fFtT"
PAIRS = {"(": "()", ")": "()", "b": "()", "[": "[]", "]": "[]", "{": "{}", "}": "{}", "B": "{}", "<": "<>", ">": "<>"}


def _kind(letter: str) -> int:
    """Blanks, letters of words, and other signs."""
    return 0 if letter.isspace() else 1 if letter.isalnum() or letter == "_" else 2


def _big_kind(letter: str) -> int:
    return 0 if letter.isspace() else 1


def _next_word(text: str, at: int, kind: Callable[[str], int]) -> int:
    start = kind(text[at]) if at < len(text) else 0
    while at < len(text) and start and kind(text[at]) == start:
        at += 1
    while at < len(text) and kind(text[at]) == 0:
        at += 1
    return at


def _word_back(text: str, at: int, kind: Callable[[str], int]) -> int:
    while at > 0 and kind(text[at - 1]) == 0:
        at -= 1
    if at > 0:
        start = kind(text[at - 1])
        while at > 0 and kind(text[at - 1]) == start:
            at -= 1
    return at


def _word_end(text: str, at: int, kind: Callable[[str], int]) -> int:
    at += 1
    while at < len(text) and kind(text[at]) == 0:
        at += 1
    if at >= len(text):
        return max(len(text) - 1, 0)
    start = kind(text[at])
    while at + 1 < len(text) and kind(text[at + 1]) == start:
        at += 1
    return at


def _first_letter(buffer: Buffer) -> int:
    at = buffer.line_start
    while at < buffer.line_end and buffer.text[at].isspace():
        at += 1
    return at


def _line(step: int) -> Callable[[Buffer], int]:
    def move(buffer: Buffer) -> int:
        column = buffer.at - buffer.line_start
        if step < 0:
            if buffer.line_start == 0:
                return buffer.at
            start = buffer.text.rfind("\n", 0, buffer.line_start - 1) + 1
            return min(start + column, buffer.line_start - 1)
        if buffer.line_end >= len(buffer.text):
            return buffer.at
        start = buffer.line_end + 1
        found = buffer.text.find("\n", start)
        return min(start + column, len(buffer.text) if found < 0 else found)

    return move


MOTIONS: dict[str, Callable[[Buffer], int]] = {
    "h": lambda buffer: max(buffer.at - 1, buffer.line_start),
    "l": lambda buffer: min(buffer.at + 1, buffer.line_end),
    " ": lambda buffer: buffer.at + 1,
    "j": _line(1),
    "k": _line(-1),
    "w": lambda buffer: _next_word(buffer.text, buffer.at, _kind),
    "W": lambda buffer: _next_word(buffer.text, buffer.at, _big_kind),
    "b": lambda buffer: _word_back(buffer.text, buffer.at, _kind),
    "B": lambda buffer: _word_back(buffer.text, buffer.at, _big_kind),
    "e": lambda buffer: _word_end(buffer.text, buffer.at, _kind),
    "E": lambda buffer: _word_end(buffer.text, buffer.at, _big_kind),
    "0": lambda buffer: buffer.line_start,
    "^": _first_letter,
    "$": lambda buffer: max(buffer.line_end - 1, buffer.line_start),
    "G": lambda buffer: buffer.text.rfind("\n") + 1,
}


def find_letter(buffer: Buffer, kind: str, letter: str, count: int) -> int | None:
    """In this line, `f` onto it and `t` before it; capitals look backwards."""
    at = buffer.at
    for _ in range(count):
        if kind in "ft":
            found = buffer.text.find(letter, at + 1 + (kind == "t" and at == buffer.at), buffer.line_end)
        else:
            found = buffer.text.rfind(letter, buffer.line_start, max(at - (kind == "T" and at == buffer.at), 0))
        if found < 0:
            return None
        at = found
    return at - 1 if kind == "t" else at + 1 if kind == "T" else at


def object_around(buffer: Buffer, name: str, *, outer: bool) -> tuple[int, int] | None:
    """The word, quotation or brackets around the cursor; with what is around them where `outer`."""
    if name in "wW":
        return _word_around(buffer, _kind if name == "w" else _big_kind, outer=outer)
    if name in "\"'`":
        return _quoted(buffer, name, outer=outer)
    if name in PAIRS:
        return _bracketed(buffer, *PAIRS[name], outer=outer)
    return None


def _word_around(buffer: Buffer, kind: Callable[[str], int], *, outer: bool) -> tuple[int, int] | None:
    text, start = buffer.text, buffer.at
    if start >= len(text):
        return None
    own, end = kind(text[start]), start
    while start > 0 and kind(text[start - 1]) == own and text[start - 1] != "\n":
        start -= 1
    while end < len(text) and kind(text[end]) == own and text[end] != "\n":
        end += 1
    while outer and end < len(text) and text[end] == " ":
        end += 1
    return start, end


def _quoted(buffer: Buffer, quote: str, *, outer: bool) -> tuple[int, int] | None:
    start = buffer.text.rfind(quote, buffer.line_start, buffer.at + 1)
    if start < 0:
        start = buffer.text.find(quote, buffer.at, buffer.line_end)
    end = buffer.text.find(quote, start + 1, buffer.line_end) if start >= 0 else -1
    if end < 0:
        return None
    return (start, end + 1) if outer else (start + 1, end)


def _bracketed(buffer: Buffer, opening: str, closing: str, *, outer: bool) -> tuple[int, int] | None:
    text, start, depth = buffer.text, buffer.at, 0
    while start >= 0 and not (start < len(text) and text[start] == opening and depth == 0):
        if start < len(text) and start != buffer.at:
            depth += (text[start] == closing) - (text[start] == opening)
        start -= 1
    if start < 0:
        return None
    end, depth = start + 1, 0
    while end < len(text) and not (text[end] == closing and depth == 0):
        depth += (text[end] == opening) - (text[end] == closing)
        end += 1
    if end >= len(text):
        return None
    return (start, end + 1) if outer else (start + 1, end)
