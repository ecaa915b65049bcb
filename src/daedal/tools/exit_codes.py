"""What does a command's exit code mean? For a few programs, 1 is an answer and not a failure."""

import re
import signal

ANSWERS = {
    "grep": "no match",
    "egrep": "no match",
    "fgrep": "no match",
    "rg": "no match",
    "diff": "the files differ",
    "cmp": "the files differ",
    "test": "the condition is false",
    "[": "the condition is false",
}

QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\`$]|\\.|\$(?!\())*\"|\\.", re.DOTALL)
NOT_LONE = re.compile(r"[;&\n`(){}<>]|\|\||\bexit\b")


def answer(command: str, exit_code: int) -> str | None:
    """What exit code 1 says where the last command of a lone pipeline is one that answers with it."""
    if exit_code != 1:
        return None
    bare = QUOTED.sub("_", command).strip()
    if NOT_LONE.search(bare):
        return None
    words = bare.rpartition("|")[2].split()
    return ANSWERS.get(words[0]) if words else None


def signal_of(exit_code: int) -> str | None:
    """The signal that the exit code stands for, as shells count it."""
    try:
        return signal.Signals(exit_code - 128).name
    except ValueError:
        return None
