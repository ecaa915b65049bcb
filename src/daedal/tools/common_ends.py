"""How many whole lines do two files share at their beginning and at their end? Told in bytes: no line is taken apart.

Blocks are compared, and only the one that differs is looked into: so it costs little more than reading both files.
"""

from collections.abc import Callable

BLOCK_BYTES = 65_536


def common_start(old: bytes, new: bytes) -> int:
    """How far the lines are the same that both begin with."""
    same = _longest(min(len(old), len(new)), lambda start, stop: old[start:stop] == new[start:stop])
    return old.rfind(b"\n", 0, same) + 1


def common_end(old: bytes, new: bytes, start: int) -> int:
    """How many bytes the lines take that both end with, none of which lies before `start`."""
    old_end, new_end = len(old), len(new)
    same = _longest(
        min(old_end, new_end) - start,
        lambda near, far: old[old_end - far : old_end - near] == new[new_end - far : new_end - near],
    )
    if _begins_line(old, old_end - same) and _begins_line(new, new_end - same):
        return same
    newline = old.find(b"\n", old_end - same)
    return 0 if newline < 0 else old_end - newline - 1


def _longest(most: int, is_same: Callable[[int, int], bool]) -> int:
    """The greatest number up to `most` so that everything from 0 to it is the same."""
    place = 0
    while place < most and is_same(place, min(place + BLOCK_BYTES, most)):
        place = min(place + BLOCK_BYTES, most)
    stop = min(place + BLOCK_BYTES, most)
    while place < stop:
        middle = (place + stop + 1) // 2
        if is_same(place, middle):
            place = middle
        else:
            stop = middle - 1
    return place


def _begins_line(content: bytes, place: int) -> bool:
    return place == 0 or content[place - 1 : place] == b"\n"
