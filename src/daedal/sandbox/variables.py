"""What do `${HOME}/.ssh` and `~/x` in a setting mean? `${VAR}`, `${VAR:-default}` and a leading tilde are filled in."""

import re
from collections.abc import Mapping

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def expand(text: str, environment: Mapping[str, str]) -> str | None:
    """None where a variable without a default is not set: half of a path is another path."""
    is_whole = True

    def value(found: re.Match[str]) -> str:
        nonlocal is_whole
        if known := environment.get(found[1]):
            return known
        is_whole = is_whole and found[2] is not None
        return found[2] or ""

    filled = _VARIABLE.sub(value, text)
    if filled == "~" or filled.startswith("~/"):
        filled = environment.get("HOME", "") + filled[1:]
        is_whole = is_whole and bool(environment.get("HOME"))
    return filled if is_whole and filled else None
