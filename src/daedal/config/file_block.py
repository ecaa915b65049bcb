"""What does the model see of a file that a prompt refers to? Its text, as much as there is room for."""

import errno
import os
import stat

from msgspec import Struct

from daedal.config.fences import Fences
from daedal.config.file_kinds import as_text, binary_kind
from daedal.config.legible import legible
from daedal.config.tags import TRUNCATED, tagged
from daedal.protocol.catalogue import say

FILE_BYTES_MAX = 262_144
SOUGHT_BYTES_MAX = 4_194_304
"""How far into a file its lines are counted."""

_STRIDE = 4_096

_FLAGS = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_BINARY"))


class Block(Struct, frozen=True):
    text: str | None
    """None where there is nothing to show."""
    notice: str | None = None
    """For the person: why it is not whole."""


class Span(Struct, frozen=True):
    """A part of a file."""

    data: bytes
    first: int
    """The number of its first line."""
    is_cut: bool
    """More was wanted, or there is more."""


def file_block(path: str, real: str, lines: tuple[int, int] | None, fences: Fences, *, bytes_max: int) -> Block:
    """`path` is how it is called, `real` has no links in it. Raises OSError."""
    limit = min(bytes_max, FILE_BYTES_MAX)
    data, size = _read(real, fences, SOUGHT_BYTES_MAX if lines else limit)
    kind = binary_kind(data)
    if kind is not None:
        return Block(tagged("file", path, f"[{kind}, {size} bytes: not shown here; Read may show it]"))
    if lines is None:
        span = Span(_whole_lines(data) if size > len(data) else data, 1, size > len(data))
    else:
        span = _sought(data, lines, limit, is_whole=size == len(data))
        if not span.data:
            return Block(None, say("config.reference.no_lines", path=legible(path), first=lines[0]))
    which = f"{lines[0]}-{lines[1]}" if lines else ""
    if not span.is_cut:
        return Block(tagged("file", path, as_text(span.data), lines=which))
    notice = say("config.reference.cut", path=legible(path), shown=len(span.data), size=size)
    return Block(tagged("file", path, as_text(span.data), note=_rest(span, size), lines=which), notice)


def _rest(span: Span, size: int) -> str:
    """How the model reads on."""
    shown = f"{TRUNCATED} {len(span.data)} of {size} bytes are shown"
    if span.data.endswith(b"\n"):
        following = span.first + span.data.count(b"\n")
        return f"{shown}: Read with offset {following} goes on."
    return f"{shown}, all of them from line {span.first}: Grep or Bash can show other parts."


def _read(real: str, fences: Fences, limit: int) -> tuple[bytes, int]:
    """At most so many bytes, and the size of the whole. Never waits, whatever became of the name meanwhile."""
    with os.fdopen(os.open(real, _FLAGS), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or fences.is_closed(status):
            raise OSError(errno.EINVAL, say("config.reference.not_ordinary"))
        data = file.read(limit)
    return data, max(status.st_size, len(data))


def _sought(data: bytes, lines: tuple[int, int], limit: int, *, is_whole: bool) -> Span:
    first, last = lines
    start = _line_start(data, first)
    end = _line_start(data, last - first + 2, start)
    wanted = data[start:end]
    is_cut = len(wanted) > limit or (end == len(data) and not is_whole)
    return Span(_whole_lines(wanted[:limit]) if is_cut else wanted, first, is_cut)


def _line_start(data: bytes, number: int, at: int = 0) -> int:
    """Where the line begins, counted from `at`; the end of the data where there are fewer."""
    missing = number - 1
    while missing and at < len(data):
        ends = data.count(b"\n", at, at + _STRIDE)
        if ends < missing:
            # Counting is much faster than finding each.
            missing, at = missing - ends, at + _STRIDE
        else:
            missing, at = missing - 1, data.index(b"\n", at) + 1
    return min(at, len(data))


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1] or data
