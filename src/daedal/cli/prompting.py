"""Where does the prompt come from? An argument, or standard input where there is none (or `-`)."""

import select
import sys

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

PROMPT_BYTES_MAX = 4 * 1024 * 1024
"""More than any model's context window; longer material belongs into a file that the agent reads in pieces."""

PIPE_WAIT_S = 2.0
"""A supervisor may leave us a pipe that never says anything and never ends. Whoever pipes a prompt in begins soon."""


def read_prompt(argument: str | None, *, resuming: str | None) -> str | None:
    """The prompt; None where an interrupted turn shall go on without one."""
    if argument is not None and argument != "-":
        return _checked(argument.encode("utf-8", "surrogateescape"))
    if argument is None and resuming:
        return _optional()
    if sys.stdin is None or (argument is None and sys.stdin.isatty()):
        raise UsageError(say("cli.exec.no_prompt"))
    return _checked(_standard_input())


def _optional() -> str | None:
    """Nothing, or nothing yet, is no prompt: the turn that was cut off goes on."""
    if sys.stdin is None or sys.stdin.isatty() or not select.select([sys.stdin], [], [], PIPE_WAIT_S)[0]:
        return None
    raw = _standard_input()
    return _checked(raw) if raw.strip() else None


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
