"""How are the standard pipes kept for a protocol? Nothing else may come out of them, and nobody else may read them.

They are put aside under other numbers: whatever else is printed goes to standard error, and whatever else reads finds
nothing.
"""

import os


def put_aside() -> tuple[int, int]:
    """The descriptors to read the protocol from, and to write it to."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
