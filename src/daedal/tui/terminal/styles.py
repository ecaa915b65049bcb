"""How does a style's name become colours? By a theme, in as many colours as the terminal has, or in none."""

import os
from collections.abc import Mapping
from enum import IntEnum

from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import Row

ATTRIBUTES = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7", "strike": "9"}
BASIC = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
RESET = "\x1b[0m"

Theme = Mapping[str, str]
"""Style → words: attributes, a colour of the sixteen (`red`, `bright-red`, `on-red`), and one that more capable
terminals take instead of it (`#d75f5f`, `on-#303030`)."""


class Depth(IntEnum):
    NONE = 0
    """No colours, but bold and dim."""
    BASIC = 16
    MANY = 256
    FULL = 1 << 24


def depth_of(environment: Mapping[str, str] = os.environ) -> Depth:
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in ("dumb", "") or term.startswith(("vt1", "vt2")) or term.endswith("-m"):
        return Depth.NONE
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        return Depth.FULL
    return Depth.MANY if "256" in term or term in ("xterm-kitty", "alacritty", "foot") else Depth.BASIC


class Palette:
    """A theme in the colours of one terminal."""

    def __init__(self, theme: Theme, depth: Depth) -> None:
        self._theme = theme
        self._depth = depth
        self._codes: dict[str, str] = {"": ""}

    def painted(self, row: Row) -> str:
        """The row as the terminal takes it."""
        parts: list[str] = []
        before = ""
        for style, text in row:
            code = self._code(style)
            if code != before:
                parts.append(f"{RESET}{code}" if before else code)
                before = code
            # Whoever made the row has seen to that, since it changes how wide text is; nobody may ever forget it.
            parts.append(text if text.isprintable() else visible(text))
        return "".join([*parts, RESET]) if before else "".join(parts)

    def _code(self, style: str) -> str:
        found = self._codes.get(style)
        if found is None:
            numbers = [number for name in style.split() for number in self._numbers(name)]
            found = self._codes[style] = f"\x1b[{';'.join(numbers)}m" if numbers else ""
        return found

    def _numbers(self, name: str) -> list[str]:
        words = (self._theme.get(name, name) or "").split()
        found = [ATTRIBUTES[word] for word in words if word in ATTRIBUTES]
        if self._depth is Depth.NONE:
            return found
        for offset, prefix in ((30, ""), (40, "on-")):
            colours = [
                word.removeprefix(prefix)
                for word in words
                if word not in ATTRIBUTES and word.startswith("on-") == bool(prefix)
            ]
            fine = next((colour for colour in colours if colour.startswith("#")), None)
            plain = next((colour for colour in colours if not colour.startswith("#")), None)
            if fine is not None and self._depth >= Depth.MANY:
                found += _fine(fine, offset + 8, self._depth)
            elif plain is not None:
                found += _basic(plain, offset)
        return found


def _basic(colour: str, offset: int) -> list[str]:
    bright = colour.startswith("bright-")
    name = colour.removeprefix("bright-")
    if name not in BASIC:
        return []
    return [str(offset + (60 if bright else 0) + BASIC.index(name))]


def _fine(colour: str, code: int, depth: Depth) -> list[str]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    if depth is Depth.FULL:
        return [str(code), "2", str(red), str(green), str(blue)]
    if red == green == blue and 8 <= red <= 238:
        return [str(code), "5", str(232 + round((red - 8) / 10))]
    steps = [0 if part < 48 else 1 if part < 115 else (part - 35) // 40 for part in (red, green, blue)]
    return [str(code), "5", str(16 + 36 * steps[0] + 6 * steps[1] + steps[2])]
