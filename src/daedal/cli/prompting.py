"""Where does the prompt come from? An argument, or standard input where there is none (or `-`)."""

import os
import select
import stat
import sys

from daedal.cli.streams import warn
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

PROMPT_BYTES_MAX = 4 * 1024 * 1024
"""More than any model's context window; longer material belongs into a file that the agent reads in pieces."""

PIPE_WAIT_S = 1.0
"""A supervisor may leave us a pipe that never says anything and never ends. Whoever pipes something in begins soon."""


def read_prompt(argument: str | None, *, resuming: bool) -> str | None:
    """The prompt; None where an interrupted turn shall go on without one. What is piped in follows the argument."""
    if argument is not None and argument != "-":
        piped = _piped()
        raw = argument.encode("utf-8", "surrogateescape")
        return _checked(b"%b\n\n%b" % (raw, piped) if piped.strip() else raw)
    if argument is None and resuming:
        raw = _piped()
        return _checked(raw) if raw.strip() else None
    if sys.stdin is None or (argument is None and sys.stdin.isatty()):
        raise UsageError(say("cli.exec.no_prompt"))
    return _checked(_standard_input())


def _piped() -> bytes:
    """What comes by a pipe or from a file; nothing from a terminal, and nothing from a pipe that stays silent."""
    if sys.stdin is None:
        return b""
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)):
        return b""
    if not select.select([sys.stdin], [], [], PIPE_WAIT_S)[0]:
        warn(say("cli.exec.silent_input", seconds=f"{PIPE_WAIT_S:g}"))
        return b""
    return _standard_input()


def _standard_input() -> bytes:
    # One byte more than allowed is enough to know that it is too long.
    return sys.stdin.buffer.read(PROMPT_BYTES_MAX + 1)


def _checked(raw: bytes) -> str:
    if len(raw) > PROMPT_BYTES_MAX:
        raise UsageError(say("cli.exec.prompt_too_long", limit=PROMPT_BYTES_MAX // 1024**2))
    text = raw.decode("utf-8", "replace")
    if not text.strip():
        raise UsageError(say("engine.empty_prompt"))
    return text
