"""How does one write with vi's keys? Insert and normal mode, counts, motions, operators, text objects.

Visual mode, registers, macros and `.` are left out: a prompt is short, and Ctrl+G opens the real thing.
"""

from collections.abc import Callable

from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.editing.motions import FINDS, MOTIONS, find_letter, object_around
from daedal.tui.terminal.keys import Key

OPERATORS = ("d", "c", "y")
INCLUSIVE = ("e", "E", "$", "f", "t", ";", ",")
"""An operator takes the letter that these end on too."""
INSERTING: dict[str, Callable[[Buffer], int]] = {
    "i": lambda buffer: buffer.at,
    "a": lambda buffer: min(buffer.at + 1, buffer.line_end),
    "I": MOTIONS["^"],
    "A": lambda buffer: buffer.line_end,
}
"""From where on each of them inserts."""
FALLING_BACK = ("left", "right", "home", "end", "ctrl+left", "ctrl+right", "ctrl+home", "ctrl+end")


class Vi:
    def __init__(self) -> None:
        self.is_inserting = True
        self._typed = ""
        """Of a command that is not complete yet."""
        self._found = ("", "")
        """The last search for a letter in a line, for `;` and `,`."""
        self._register = ("", False)
        """What was taken last, and whether it was whole lines."""

    def edit(self, buffer: Buffer, key: Key) -> bool:
        """Whether the key was for the text."""
        letter = key.name.removeprefix("alt+")
        if key.name.startswith("alt+") and len(letter) == 1:
            # A terminal says the same for Esc and a letter that came quickly one after the other.
            self.edit(buffer, Key("escape"))
            return self.edit(buffer, Key(letter, letter))
        if self.is_inserting:
            if key.name != "escape":
                return edit(buffer, key)
            self.is_inserting = False
            buffer.move(max(buffer.at - 1, buffer.line_start))
            return True
        if key.name == "escape":
            was, self._typed = self._typed, ""
            return bool(was)
        if key.name in FALLING_BACK or key.name.startswith(("ctrl+", "alt+")):
            if key.name == "ctrl+r":
                buffer.redo()
                return True
            return edit(buffer, key)
        if key.name == "backspace":
            buffer.move(buffer.at - 1)
            return True
        if len(key.text) != 1:
            return False
        self._typed += key.text
        if self._run(buffer, self._typed):
            self._typed = ""
        return True

    def _run(self, buffer: Buffer, typed: str) -> bool:
        """Whether the command was complete, or can never be."""
        count, rest = _counted(typed)
        if not rest:
            return False
        first = rest[0]
        if first in OPERATORS:
            return self._operate(buffer, count, rest)
        if first in "fFtT" or first == "r":
            if len(rest) < 2:
                return False
            if first == "r":
                self._replace(buffer, rest[1], count)
            else:
                self._found = (first, rest[1])
                self._move(buffer, find_letter(buffer, first, rest[1], count))
            return True
        if first == "g":
            if len(rest) > 1 and rest[1] == "g":
                buffer.move(0)
            return len(rest) > 1
        if first in MOTIONS or first in ";,":
            self._move(buffer, self._target(buffer, first, count))
        else:
            self._change(buffer, first, count)
        return True

    def _move(self, buffer: Buffer, at: int | None) -> None:
        if at is not None:
            buffer.move(at)
            # In normal mode the cursor stands on a letter.
            buffer.move(max(min(buffer.at, buffer.line_end - 1), buffer.line_start))

    def _target(self, buffer: Buffer, motion: str, count: int) -> int | None:
        if motion in ";,":
            kind, letter = self._found
            if not kind:
                return None
            return find_letter(buffer, kind if motion == ";" else kind.swapcase(), letter, count)
        at = buffer.at
        try:
            for _ in range(count):
                buffer.at = max(0, min(MOTIONS[motion](buffer), len(buffer.text)))
            return buffer.at
        finally:
            buffer.at = at

    def _operate(self, buffer: Buffer, count: int, rest: str) -> bool:
        operator = rest[0]
        more, motion = _counted(rest[1:])
        if not motion:
            return False
        count *= more
        if motion == operator:
            self._on_lines(buffer, operator, count)
            return True
        if motion[0] in "ia" or motion[0] in FINDS or motion[0] == "g":
            if len(motion) < 2:
                return False
            if motion[0] in "ia":
                around = object_around(buffer, motion[1], outer=motion[0] == "a")
                if around is not None:
                    self._take(buffer, operator, *around)
                return True
        target = (
            find_letter(buffer, motion[0], motion[1], count)
            if motion[0] in FINDS
            else 0
            if motion == "gg"
            else self._target(buffer, "e" if operator == "c" and motion == "w" else motion, count)
            if motion in MOTIONS or motion in ";,"
            else None
        )
        if motion[0] in FINDS:
            self._found = (motion[0], motion[1])
        if target is not None:
            is_forward = target >= buffer.at
            name = "e" if operator == "c" and motion == "w" else motion[0]
            self._take(buffer, operator, buffer.at, target + (is_forward and name in INCLUSIVE))
        return True

    def _on_lines(self, buffer: Buffer, operator: str, count: int) -> None:
        start, at = buffer.line_start, buffer.at
        end = start
        for _ in range(count):
            found = buffer.text.find("\n", end)
            end = len(buffer.text) + 1 if found < 0 else found + 1
        whole = buffer.text[start : end - 1]
        self._register = (whole, True)
        if operator == "y":
            return
        if operator == "c":
            buffer.delete(start, end - 1)
            self.is_inserting = True
            return
        buffer.delete(start - 1 if end > len(buffer.text) and start else start, end)
        self._move(buffer, min(at, buffer.line_start))

    def _take(self, buffer: Buffer, operator: str, start: int, end: int) -> None:
        start, end = min(start, end), max(start, end)
        self._register = (buffer.text[start:end], False)
        if operator == "y":
            buffer.move(start)
            return
        buffer.delete(start, end)
        if operator == "c":
            self.is_inserting = True
        else:
            self._move(buffer, buffer.at)

    def _replace(self, buffer: Buffer, letter: str, count: int) -> None:
        end = min(buffer.at + count, buffer.line_end)
        buffer.change(buffer.text[: buffer.at] + letter * (end - buffer.at) + buffer.text[end:], end - 1)

    def _change(self, buffer: Buffer, name: str, count: int) -> None:
        match name:
            case "i" | "a" | "I" | "A":
                buffer.move(INSERTING[name](buffer))
                self.is_inserting = True
            case "o" | "O":
                self._open_line(buffer, above=name == "O")
            case "x" | "s":
                self._take(buffer, "d" if name == "x" else "c", buffer.at, min(buffer.at + count, buffer.line_end))
            case "X":
                self._take(buffer, "d", max(buffer.at - count, buffer.line_start), buffer.at)
            case "D" | "C":
                self._take(buffer, name.lower(), buffer.at, buffer.line_end)
            case "S":
                self._on_lines(buffer, "c", count)
            case "p" | "P":
                self._put(buffer, before=name == "P")
            case "u":
                for _ in range(count):
                    buffer.undo()
            case "~":
                end = min(buffer.at + count, buffer.line_end)
                turned = buffer.text[buffer.at : end].swapcase()
                buffer.change(buffer.text[: buffer.at] + turned + buffer.text[end:], end)
                self._move(buffer, buffer.at)
            case "J" if (end := buffer.line_end) < len(buffer.text):
                buffer.change(f"{buffer.text[:end]} {buffer.text[end + 1 :].lstrip(' ')}", end)
            case _:
                return

    def _open_line(self, buffer: Buffer, *, above: bool) -> None:
        at = buffer.line_start if above else buffer.line_end
        buffer.change(buffer.text[:at] + "\n" + buffer.text[at:], at if above else at + 1)
        self.is_inserting = True

    def _put(self, buffer: Buffer, *, before: bool) -> None:
        text, is_lines = self._register
        if not text:
            return
        if is_lines:
            at = buffer.line_start if before else buffer.line_end
            put = f"{text}\n" if before else f"\n{text}"
            buffer.change(buffer.text[:at] + put + buffer.text[at:], at + (not before))
            return
        at = buffer.at if before else min(buffer.at + 1, buffer.line_end)
        buffer.change(buffer.text[:at] + text + buffer.text[at:], at + len(text) - 1)


def _counted(typed: str) -> tuple[int, str]:
    """The number before a command, and the command. `0` alone is one."""
    digits = 0
    while digits < len(typed) and typed[digits].isdigit() and not (digits == 0 and typed[0] == "0"):
        digits += 1
    return min(int(typed[:digits] or 1), 9999), typed[digits:]
