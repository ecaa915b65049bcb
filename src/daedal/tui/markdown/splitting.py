"""Where does finished Markdown end while more is coming? Behind a paragraph, an item of a list, or a fence.

Works on lines alone, so that its cost does not depend on what was said before.
"""

import re
from typing import NamedTuple

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
ITEM = re.compile(r"^ {0,3}([-*+]|\d{1,9}[.)])( |$)")
CODE_LINES_MAX = 30
"""So much of an open fence is live; what is above is printed."""


class Split(NamedTuple):
    closed: list[str]
    open: str


def split(text: str) -> Split:
    """Pieces that no further text can change, and the rest. A long fence is cut into several."""
    lines = text.split("\n")
    last = len(lines) - 1
    """The last line is never complete."""
    closed: list[str] = []
    start = 0
    at = 0
    while at < last:
        fence = FENCE.match(lines[at])
        if fence is not None:
            end = _fence_end(lines, at + 1, fence[1])
            if end is None or end >= last:
                return _open_fence(lines, start, at, fence, closed)
            at = end + 1
            closed.append("\n".join(lines[start:at]))
            start = at
        elif not lines[at].strip():
            if _goes_on(lines, start, at, last):
                at += 1
                continue
            if any(line.strip() for line in lines[start:at]):
                closed.append("\n".join(lines[start:at]))
            at += 1
            start = at
        elif at > start and ITEM.match(lines[at]) and ITEM.match(lines[start]) and not lines[at].startswith(" "):
            closed.append("\n".join(lines[start:at]).rstrip("\n"))
            start = at
            at += 1
        else:
            at += 1
    return Split(closed, "\n".join(lines[start:]))


def _goes_on(lines: list[str], start: int, at: int, last: int) -> bool:
    """Whether the blank line may be inside of something: an item of a list whose next paragraph is indented."""
    if not any(ITEM.match(line) for line in lines[start:at]):
        return False
    following = next((line for line in lines[at + 1 : last] if line.strip()), None)
    if following is None:
        return True
    return following.startswith((" ", "\t"))


def _fence_end(lines: list[str], start: int, fence: str) -> int | None:
    for number in range(start, len(lines)):
        line = lines[number].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return number
    return None


def _open_fence(lines: list[str], start: int, at: int, fence: re.Match[str], closed: list[str]) -> Split:
    if at > start and any(line.strip() for line in lines[start:at]):
        closed.append("\n".join(lines[start:at]))
    code = lines[at + 1 :]
    if len(code) > CODE_LINES_MAX and not lines[at].startswith(" "):
        done, rest = code[: -CODE_LINES_MAX // 2], code[-CODE_LINES_MAX // 2 :]
        closed.append("\n".join([lines[at], *done, fence[1]]))
        return Split(closed, "\n".join([f"{fence[1]}{fence[2]}{GOES_ON}", *rest]))
    return Split(closed, "\n".join(lines[at:]))


GOES_ON = " \u2060"
"""Behind a fence's language: the piece goes on from one above, so there is no space between them."""
