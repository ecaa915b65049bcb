"""Where does a page of a list begin, and how long may it be? Clients say what they like; lists have bounds."""

PAGE_MAX = 1000
_DIGITS_MAX = 12


def offset_of(cursor: str | None) -> int | None:
    """None for what is none of our cursors."""
    if not cursor:
        return 0
    is_number = cursor.isascii() and cursor.isdigit() and len(cursor) <= _DIGITS_MAX
    return int(cursor) if is_number else None


def length_of(limit: int | None, usual: int) -> int:
    """At least one, and never more than anybody could want to look at."""
    return min(max(limit or usual, 1), PAGE_MAX)
