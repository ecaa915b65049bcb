"""Where in a JSON text is a key? Used only for messages, and only on text that a parser accepted."""

import re
from bisect import bisect_right

import msgspec

from daedal.config.keys import Path

_SIGN = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def json_lines(text: str) -> dict[Path, int]:
    """The line on which each value's key (of an object) or beginning (in a list) stands."""
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found: dict[Path, int] = {}
    steps: list[str | int] = []
    is_key = False
    """Whether the next text names something."""
    for match in _SIGN.finditer(text):
        sign, line = match[0], bisect_right(line_starts, match.start())
        if sign in "}]":
            steps.pop()
            is_key = False
        elif sign == ",":
            is_key = isinstance(steps[-1], str)
            if not is_key:
                steps[-1] = int(steps[-1]) + 1
        elif sign == ":":
            is_key = False
        elif is_key:
            steps[-1] = str(msgspec.json.decode(sign))
            found.setdefault(tuple(steps), line)
        else:
            found.setdefault(tuple(steps), line)
            if sign in "{[":
                steps.append("" if sign == "{" else 0)
                is_key = sign == "{"
    return found
