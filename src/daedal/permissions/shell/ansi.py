"""Which text does `$'…'` mean?"""

import re

from daedal.permissions.shell.atoms import Unreadable

_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_LETTERS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SELF = "\\'\"?"


def decoded(body: str) -> str:
    """Anything that ends the string early (NUL), is no text or has no defined meaning is refused."""
    return _ESCAPE.sub(lambda match: _meaning(match[1]), body)


def _meaning(escape: str) -> str:
    if escape in _LETTERS:
        return _LETTERS[escape]
    if escape in _SELF:
        return escape
    if (len(escape) == 1 and escape not in "01234567") or escape[0] == "c":
        raise Unreadable(f"an escape \\{escape} inside $'…'")
    number = int(escape, 8) if escape[0] in "01234567" else int(escape[1:], 16)
    if (not 0 < number < 0x80 and escape[0] not in "uU") or number in (0, *range(0xD800, 0xE000)) or number > 0x10FFFF:
        raise Unreadable(f"an escape \\{escape} inside $'…'")
    return chr(number)
