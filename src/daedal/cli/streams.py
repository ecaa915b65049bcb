"""What do the standard streams promise? They are there, they take every character, and they can be silenced.

Standard output is for what a command is about; warnings and errors go to standard error.
"""

import io
import os
import sys
from typing import TextIO, cast

from daedal.cli.printing import ESCAPED, dimmed, visible
from daedal.protocol.catalogue import say


def prepare() -> None:
    """Once, before anything is written."""
    sys.stdout = _willing(sys.stdout, 1)
    sys.stderr = _willing(sys.stderr, 2)


def _willing(stream: TextIO | None, number: int) -> TextIO:
    if stream is None:
        return open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    # A terminal or a pipe that cannot take a character gets its number instead of our end.
    wrapper = cast("io.TextIOWrapper", stream)
    wrapper.reconfigure(errors="backslashreplace")
    return Screened(wrapper) if stream.isatty() else stream


class Screened(io.TextIOWrapper):
    """A terminal, which gets nothing that steers it beside our own: JSON does not escape all that some obey."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        encoding, is_by_line = stream.encoding, stream.line_buffering
        super().__init__(stream.detach(), encoding, "backslashreplace", line_buffering=is_by_line)  # type: ignore[arg-type]

    def write(self, s: str, /) -> int:
        super().write(s if s.isascii() else s.translate(ESCAPED))
        return len(s)


def silence(number: int) -> None:
    """From now on nothing comes out of this descriptor, and nobody waits or fails at it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def put_json(raw: bytes) -> None:
    """A line to standard output, at once: UTF-8, whatever the terminal speaks."""
    sys.stdout.flush()
    shown = raw.decode().translate(ESCAPED).encode() if sys.stdout.isatty() and not raw.isascii() else raw
    sys.stdout.buffer.write(shown + b"\n")
    sys.stdout.flush()


def complain(message: object) -> None:
    """An error, to standard error; where that is gone too, only the exit code is left to speak."""
    tell(say("cli.error", message=message))


def warn_of_dangers(*, flag: bool, destructive: bool) -> None:
    """Once, where nothing confines what is about to run, or where it may take files away."""
    if destructive:
        warn(say("cli.destructive_warning"))
    if flag:
        warn(say("cli.no_sandbox_warning", how="--no-sandbox"))
    elif os.environ.get("DAEDAL_NO_SANDBOX") == "1":
        warn(say("cli.no_sandbox_warning", how="DAEDAL_NO_SANDBOX=1"))


def warn(message: str) -> None:
    tell(say("cli.warning", message=message))


def tell(line: str, *, dim: bool = False) -> None:
    """A line to standard error. Lines quote models, files and servers, so nothing in them is obeyed."""
    shown = visible(line)
    try:
        sys.stderr.write((dimmed(shown) if dim else shown) + "\n")
        sys.stderr.flush()
    except OSError:
        silence(2)


def is_about_output(trouble: OSError) -> bool:
    """Whether a standard stream failed: a pipe whose reader left, a full disk. With a file's name it is about that."""
    import errno

    failures = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
    return trouble.filename is None and trouble.errno in failures


def give_up(trouble: OSError) -> int:
    """Standard output failed: says why, unless the reader simply left, and lets nothing fail there again."""
    silence(1)
    if not isinstance(trouble, BrokenPipeError):
        complain(say("cli.output_lost", error=trouble.strerror or trouble))
    return 1
