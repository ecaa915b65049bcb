"""How are the standard pipes kept for a protocol? Nothing else may come out of them, and nobody else may read them.

They are put aside under other numbers: whatever else is printed goes to standard error, and whatever else reads finds
nothing.
"""

import os
import stat


def is_pipe(number: int) -> bool:
    """Whether somebody can be at the other end: of a pipe, a socket or a terminal. Nobody speaks from a file, nor from
    /dev/null, and an event loop could wait for neither."""
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return False  # It was closed before we began.
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(number)


def put_aside() -> tuple[int, int]:
    """The descriptors to read the protocol from, and to write it to."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
