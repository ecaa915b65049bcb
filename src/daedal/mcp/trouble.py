"""What can go wrong between us and a server?

Trouble           it answered with an error, or is not to be asked; the text is what the model reads
└ Broken          it did not answer, or not in words that make sense: nobody knows what it did
  └ Gone          the connection has ended
    └ Forgotten   the server does not know us any more, and so has done nothing
└ LoginNeeded     it wants to know who asks, and only a person can say so
"""

from typing import cast


class Trouble(Exception):
    pass


class Broken(Trouble):
    pass


class Gone(Broken):
    pass


class Forgotten(Gone):
    pass


class LoginNeeded(Trouble):
    pass


def innermost(error: BaseException) -> BaseException:
    """The first real error in a group of errors; the SDK hands out groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def told(error: BaseException) -> str:
    """An error of somebody else's on one line, with its kind where it says nothing."""
    inner = innermost(error)
    text = " ".join(str(inner).split())[:500]
    return text or type(inner).__name__
