"""Does a path match a pattern as `.gitignore` writes them? The path is relative to the folder the pattern starts from.

A pattern may come from a stranger's project, so matching takes time in proportion to pattern and path.
"""

import re
from functools import lru_cache

_CLASS = re.compile(r"\[!?\]?[^\]]*\]")


def glob_matches(pattern: str, relative: str, *, anchored: bool = False) -> bool:
    """Whether the pattern names the path or a folder around it. `relative` is normalised, without a leading slash.

    A pattern without a slash names something at any depth, unless it is `anchored`. Raises ValueError.
    """
    steps = _steps(pattern, anchored)
    reached = _spread({0}, steps)
    for name in relative.split("/"):
        if len(steps) in reached:
            return True  # What lies below a folder that matches, matches: `docs` covers `docs/a.md`.
        here = {at for at in reached if steps[at] is None}
        further = {at + 1 for at in reached if (step := steps[at]) is not None and step.match(name)}
        reached = _spread(here | further, steps)
    return len(steps) in reached


@lru_cache(maxsize=512)
def wildcard(pattern: str) -> re.Pattern[str]:
    """A pattern in which only `*` is special, and stands for anything at all."""
    return re.compile(_joined([re.escape(piece) for piece in pattern.split("*")], "."), re.DOTALL)


def escaped(path: str) -> str:
    """The pattern that names exactly this path."""
    return re.sub(r"([\\*?\[\]])", r"\\\1", path)


@lru_cache(maxsize=1024)
def _steps(pattern: str, anchored: bool) -> tuple[re.Pattern[str] | None, ...]:  # noqa: FBT001 - the cache's key
    """One expression per name; None stands for any number of names."""
    names = [name for name in pattern.split("/") if name]
    if not anchored and "/" not in pattern.rstrip("/"):
        names.insert(0, "**")
    if names[-1:] == ["**"]:
        names.append("*")
    return tuple(None if name == "**" else _name(name) for name in names)


def _spread(reached: set[int], steps: tuple[re.Pattern[str] | None, ...]) -> set[int]:
    """With the places behind `**`, which may stand for nothing."""
    spread = set(reached)
    for at in sorted(reached):
        while at < len(steps) and steps[at] is None:
            at += 1  # noqa: PLW2901 - walks on from there
            spread.add(at)
    return spread


def _name(pattern: str) -> re.Pattern[str]:
    pieces = [""]
    position = 0
    while position < len(pattern):
        if pattern[position] == "*":
            pieces.append("")
            position += 1
            continue
        text, position = _piece(pattern, position)
        pieces[-1] += text
    try:
        return re.compile(_joined(pieces, "."), re.DOTALL)
    except re.error as error:
        raise ValueError(str(error)) from error


def _joined(pieces: list[str], anything: str) -> str:
    """The pieces with anything between them. The earliest place for each is as good as any: no way back is kept."""
    first, *others = pieces
    if not others:
        return rf"{first}\Z"
    middle = "".join(f"(?>{anything}*?{piece})" for piece in others[:-1] if piece)
    return rf"{first}{middle}{anything}*{others[-1]}\Z"


def _piece(pattern: str, start: int) -> tuple[str, int]:
    """One character of the pattern as an expression, and where the next one starts."""
    character = pattern[start]
    if character == "?":
        return ".", start + 1
    if character == "[" and (found := _CLASS.match(pattern, start)):
        inner = found[0][1:-1]
        negated, inner = inner[:1] == "!", inner.removeprefix("!")
        inner = re.sub(r"([\\\[\]^&~|]|--)", lambda special: re.escape(special[0]), inner)
        return f"[{'^' if negated else ''}{inner}]", found.end()
    if character == "\\" and start + 1 < len(pattern):
        return re.escape(pattern[start + 1]), start + 2
    return re.escape(character), start + 1
