"""Where does the prompt come from? An argument, or standard input where there is none (or `-`)."""

import os
import select
import stat
import sys

from daedal.cli.streams import warn
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.items import UserInput

PROMPT_BYTES_MAX = 4 * 1024 * 1024
"""More than any model's context window; longer material belongs into a file that the agent reads in pieces."""

PIPE_WAIT_S = 1.0
"""A supervisor may leave us a pipe that never says anything and never ends. Whoever pipes something in begins soon."""


def read_prompt(argument: str | None, *, resuming: bool) -> list[UserInput]:
    """The prompt; empty where an interrupted turn shall go on without one.

    What is piped in beside an argument is material: a reference in somebody's commit message is not the person's.
    """
    if argument is not None and argument != "-":
        piped = _piped()
        prompt = _checked(argument.encode("utf-8", "surrogateescape"), room=PROMPT_BYTES_MAX - len(piped))
        return [UserInput(prompt), *([UserInput(_checked(piped), is_literal=True)] if piped.strip() else [])]
    if argument is None and resuming:
        raw = _piped()
        return [UserInput(_checked(raw))] if raw.strip() else []
    if sys.stdin is None or (argument is None and sys.stdin.isatty()):
        raise UsageError(say("cli.exec.no_prompt"))
    return [UserInput(_checked(_standard_input()))]


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


def _checked(raw: bytes, *, room: int = PROMPT_BYTES_MAX) -> str:
    if len(raw) > room:
        raise UsageError(say("cli.exec.prompt_too_long", limit=PROMPT_BYTES_MAX // 1024**2))
    text = raw.decode("utf-8", "replace")
    if not text.strip():
        raise UsageError(say("engine.empty_prompt"))
    return text
