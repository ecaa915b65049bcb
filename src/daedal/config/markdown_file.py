"""How is a Markdown file read that somebody else may have written? Within its folder, and never more than so much.

A list needs only the beginning of each file; the whole is read when it is used.
"""

import os

from msgspec import Struct

from daedal.config.frontmatter import FENCE, Malformed, Matter, divided, parsed
from daedal.config.legible import legible
from daedal.config.reading import read_ordinary
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

HEAD_BYTES_MAX = 16_384
FILE_BYTES_MAX = 131_072

_MARK = b"\xef\xbb\xbf"
"""Some editors begin every file with it."""


class MarkdownFile(Struct, frozen=True):
    matter: Matter | None
    """None where the file says nothing about itself."""
    body: str


def read_head(path: str, fence: str | None) -> MarkdownFile:
    """What it says about itself; the body may be cut off. Raises Malformed.

    `fence` is the folder, without links in its path, that the file must lie in.
    """
    data, is_whole = _read(path, fence, HEAD_BYTES_MAX)
    if is_whole:
        return _file(data)
    start = data.split(b"\n", 1)[0].rstrip()
    if start != FENCE.encode():
        return MarkdownFile(None, data.decode("utf-8", "replace"))
    lines = data.split(b"\n")
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() == start), None)
    if end is None:
        raise Malformed(say("config.matter.too_long", limit=HEAD_BYTES_MAX))
    head = _file(b"\n".join(lines[: end + 1]))
    return MarkdownFile(head.matter, b"\n".join(lines[end + 1 :]).decode("utf-8", "replace"))


def read_markdown(path: str, fence: str | None) -> MarkdownFile:
    """All of it. Raises Malformed."""
    return _file(_read(path, fence, FILE_BYTES_MAX)[0])


def read_prompt(path: str, fence: str | None) -> str:
    """The whole body. Raises UsageError where it cannot be read, or is empty."""
    try:
        body = read_markdown(path, fence).body
        if not body:
            raise Malformed(say("config.command.empty"))
    except Malformed as error:
        raise UsageError(say("config.kept.left_out", path=legible(path), reason=error)) from error
    return body


def _read(path: str, fence: str | None, bytes_max: int) -> tuple[bytes, bool]:
    """The beginning, and whether that is all."""
    real = os.path.realpath(path)
    if fence is not None and not inside(real, fence):
        raise Malformed(say("config.command.leads_out"))
    try:
        contents = read_ordinary(real, bytes_max=bytes_max)
    except OSError as error:
        raise Malformed(error.strerror or str(error)) from error
    if contents.size > FILE_BYTES_MAX:
        raise Malformed(say("config.command.too_large", limit=FILE_BYTES_MAX))
    return contents.data.removeprefix(_MARK), contents.size <= bytes_max


def _file(data: bytes) -> MarkdownFile:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(say("config.command.no_text")) from error
    if "\0" in text:
        raise Malformed(say("config.command.no_text"))
    matter, body = divided(text.replace("\r\n", "\n"))
    return MarkdownFile(None if matter is None else parsed(matter), body.strip())
