"""Where does a reference stand in a text, and how is one written?

`@path`, `@"path with blanks"`, either with `#L10` or `#L10-20` behind it, at the beginning of a word. Whether something
of that form is a reference is decided by whoever looks whether the path exists.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

PATH_CHARS_MAX = 4_096
TRAILING_MAX = 4
"""As many marks may follow a path, as in `(see @notes.md).`"""

_RANGE = r"#L([1-9][0-9]{0,8})(?:-L?([1-9][0-9]{0,8}))?"
_OPENING = r"(?<![^\s(\[{<\"'])@"
_MENTION = re.compile(
    rf'{_OPENING}(?:"([^"\n]{{1,{PATH_CHARS_MAX}}})(?:"(?:{_RANGE})?|$)|(\S{{1,{PATH_CHARS_MAX}}}))', re.M
)
_RANGE_BEHIND = re.compile(rf"(.+){_RANGE}")
_MARKS = ".,;:!?)]}>\"'"


class Candidate(Struct, frozen=True):
    """One way to read a mention."""

    path: str
    lines: tuple[int, int] | None
    """First and last, counted from 1."""
    end: int
    """Where in the text it ends."""


class Mention(Struct, frozen=True):
    start: int
    """Where the `@` stands."""
    candidates: list[Candidate]
    """The longest first."""


def next_mention(text: str, start: int = 0) -> Mention | None:
    found = None
    # Faster than a search by the pattern, which would try it at each character.
    at = text.find("@", start)
    while at >= 0 and (found := _MENTION.match(text, at)) is None:
        at = text.find("@", at + 1)
    if found is None:
        return None
    quoted, first, last, plain = found.groups()
    if plain is None:
        return Mention(found.start(), [Candidate(quoted, _lines(first, last), found.end())])
    return Mention(found.start(), list(_readings(plain, found.end())))


def written(path: str) -> str | None:
    """How the path stands behind an `@`; None where no way of writing leads back to it.

    A folder's path in quotes stays open, so that a name can follow; at the end of a line it is read all the same.
    """
    if "\n" in path or len(path) > PATH_CHARS_MAX:
        return None
    if path and not path.startswith('"') and not re.search(r"\s", path):
        return path
    if not path or '"' in path:
        return None
    return f'"{path}' if path.endswith("/") else f'"{path}"'


def _readings(word: str, end: int) -> Iterator[Candidate]:
    for cut in range(TRAILING_MAX + 1):
        shorter = word[: len(word) - cut]
        if not shorter or (cut and not shorter.strip(".")):
            return
        yield Candidate(shorter, None, end - cut)
        if ranged := _RANGE_BEHIND.fullmatch(shorter):
            yield Candidate(ranged[1], _lines(ranged[2], ranged[3]), end - cut)
        if shorter[-1] not in _MARKS:
            return


def _lines(first: str | None, last: str | None) -> tuple[int, int] | None:
    if first is None:
        return None
    one, other = int(first), int(last or first)
    return min(one, other), max(one, other)
