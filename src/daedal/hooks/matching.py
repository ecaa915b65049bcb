"""Does a hook want to hear of this? Matchers: anything, exact words, or an ECMAScript regular expression."""

import re
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from daedal.hooks.effort import ways
from daedal.hooks.points import NO_QUERY

if TYPE_CHECKING:
    from regress import Regex

ANYTHING = ("", "*")
WORDS = re.compile(r"[a-zA-Z0-9_|]+")
PATTERN_LENGTH_MAX = 1_000
QUERY_LENGTH_MAX = 65_536
WAYS_MAX = 10_000_000
"""About ten milliseconds; more is tried in a process of its own."""


class Undecided(Exception):
    """Whether it matches cannot be found out in reasonable time. The hook could not run, then."""


LookApart = Callable[[str, str], Awaitable[bool]]
"""Tries a pattern on a query where it can do no harm. Raises Undecided."""


def matcher_trouble(matcher: str) -> str | None:
    """Why a matcher matches nothing, for the person who wrote it."""
    if matcher in ANYTHING or WORDS.fullmatch(matcher):
        return None
    return _compiled(matcher)[1]


async def matches(matcher: str, query: str | None, look_apart: LookApart) -> bool:
    """`query` is None where the event has nothing to compare. Raises Undecided."""
    if query is None or matcher in ANYTHING:
        return True
    if query == NO_QUERY:
        return False
    if WORDS.fullmatch(matcher):
        return query in matcher.split("|")
    regex, _ = _compiled(matcher)
    if regex is None:
        return False
    if len(query) > QUERY_LENGTH_MAX:
        raise Undecided(f"the matcher was not tried on a text of {len(query)} characters")
    if ways(matcher, len(query)) <= WAYS_MAX:
        return regex.find(_scalar(query)) is not None
    return await look_apart(matcher, query)


@lru_cache(maxsize=1024)
def _compiled(matcher: str) -> tuple["Regex | None", str | None]:
    """The expression, or why there is none."""
    if len(matcher) > PATTERN_LENGTH_MAX:
        return None, f"it is longer than {PATTERN_LENGTH_MAX} characters"
    from regress import Regex, RegressError

    try:
        return Regex(matcher), None
    except (RegressError, UnicodeEncodeError) as error:
        return None, str(error)


def _scalar(text: str) -> str:
    """Half characters, as file names can hold them, would be an error to the matcher."""
    return text.encode("utf-8", "replace").decode()
