"""Which keys do the bytes mean? Letters, named keys with modifiers, and whole pastes."""

import codecs
from typing import NamedTuple

ESCAPE_WAIT_S = 0.04
"""So long after a lone Esc the rest of a sequence may still come."""
PASTE_START, PASTE_END = "\x1b[200~", "\x1b[201~"

LETTERS = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "Z": "shift+tab",
    "M": "enter",
    "P": "f1",
    "Q": "f2",
    "R": "f3",
    "S": "f4",
}
NUMBERS = {
    1: "home",
    2: "insert",
    3: "delete",
    4: "end",
    5: "pageup",
    6: "pagedown",
    7: "home",
    8: "end",
    11: "f1",
    12: "f2",
    13: "f3",
    14: "f4",
    15: "f5",
    17: "f6",
    18: "f7",
    19: "f8",
    20: "f9",
    21: "f10",
}
CODES = {9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace"}
CONTROLS = {"\r": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", "\x1b": "escape", "\0": "ctrl+space"}
MODIFIERS = ((4, "ctrl"), (2, "alt"), (1, "shift"))


class Key(NamedTuple):
    name: str
    """`a`, `enter`, `ctrl+r`, `alt+enter`, `shift+tab`, or `paste`."""
    text: str = ""
    """What it would write: of letters and pastes."""


class Keys:
    """Bytes in, keys out. What is not complete yet waits."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._waiting = ""

    def feed(self, raw: bytes) -> list[Key]:
        self._waiting += self._decode(raw)
        return self._take()

    @property
    def is_waiting(self) -> bool:
        """For the rest of a sequence that a lone Esc may have begun; a paste is waited for as long as it takes."""
        return bool(self._waiting) and not self._waiting.startswith(PASTE_START)

    def flush(self) -> list[Key]:
        """Nothing more came: Esc was meant as such."""
        found: list[Key] = []
        while self.is_waiting:
            found.append(Key("escape"))
            self._waiting = self._waiting[1:]
            found += self._take()
        return found

    def _take(self) -> list[Key]:
        found: list[Key] = []
        text, at = self._waiting, 0
        while at < len(text):
            if text[at] != "\x1b":
                found.append(_plain(text[at]))
                at += 1
                continue
            length, key = _sequence(text, at)
            if not length:
                break
            if key is not None:
                found.append(key)
            at += length
        self._waiting = text[at:]
        return found


def _plain(letter: str) -> Key:
    if letter in CONTROLS:
        return Key(CONTROLS[letter])
    if letter < " ":
        return Key(f"ctrl+{chr(ord(letter) + 96)}" if letter < "\x1b" else f"ctrl+{chr(ord(letter) + 64)}")
    return Key(letter, letter)


def _sequence(text: str, at: int) -> tuple[int, Key | None]:
    """How long the sequence is and what it means; 0 where it is not complete."""
    if at + 1 >= len(text):
        return 0, None
    match text[at + 1]:
        case "[":
            return _csi(text, at)
        case "O":
            if at + 2 >= len(text):
                return 0, None
            name = LETTERS.get(text[at + 2])
            return 3, Key(name) if name else None
        case "]" | "P" | "_" | "^":
            return _string(text, at)
        case "\x1b":
            # Two Escs in a row, or Alt with a sequence, which begins at the second one.
            return 1, Key("escape")
        case letter:
            plain = _plain(letter)
            return 2, Key(f"alt+{plain.name}")


def _csi(text: str, at: int) -> tuple[int, Key | None]:
    end = at + 2
    while end < len(text) and not "@" <= text[end] <= "~":
        if text[end] < " ":
            return end - at, None  # Broken off: what comes now is something else.
        end += 1
    if end >= len(text):
        return 0, None
    if text.startswith(PASTE_START, at):
        return _paste(text, at)
    return end + 1 - at, _named(text[at + 2 : end], text[end])


def _named(parameters: str, final: str) -> Key | None:
    try:
        numbers = [int(part.partition(":")[0] or 0) for part in parameters.split(";")] if parameters else []
    except ValueError:
        return None  # An answer of the terminal to something.
    if final == "~" and numbers[:1] == [27] and len(numbers) == 3:
        return _of_code(numbers[2], numbers[1])
    if final == "u" and numbers:
        return _of_code(numbers[0], numbers[1] if len(numbers) > 1 else 1)
    name = NUMBERS.get(numbers[0]) if final == "~" and numbers else LETTERS.get(final)
    if name is None or (final == "R" and len(numbers) == 2 and numbers[0] > 1):
        return None
    return Key(_modified(name, numbers[1] if len(numbers) > 1 else 1))


def _of_code(code: int, modifier: int) -> Key | None:
    name = CODES.get(code) or (chr(code) if 32 < code < 0x110000 else None)
    if name is None:
        return None
    is_plain = len(name) == 1 and modifier in (0, 1, 2)
    return Key(name, name) if is_plain else Key(_modified(name, modifier))


def _modified(name: str, modifier: int) -> str:
    held = [word for bit, word in MODIFIERS if max(modifier - 1, 0) & bit and not name.startswith(word)]
    return "+".join([*held, name])


def _paste(text: str, at: int) -> tuple[int, Key | None]:
    start = at + len(PASTE_START)
    end = text.find(PASTE_END, start)
    if end < 0:
        return 0, None
    # A second end without a second beginning: the first one was pasted, so that the rest would count as typed.
    while (further := text.find(PASTE_END, end + 1)) >= 0 and PASTE_START not in text[end:further]:
        end = further
    pasted = text[start:end].replace(PASTE_END, "").replace("\r\n", "\n").replace("\r", "\n")
    return end + len(PASTE_END) - at, Key("paste", pasted)


def _string(text: str, at: int) -> tuple[int, Key | None]:
    """An answer of the terminal: up to BEL or ST. Alt with such a letter is nobody's key."""
    ends = [(text.find(mark, at), len(mark)) for mark in ("\x07", "\x1b\\")]
    found = [(end, length) for end, length in ends if end >= 0]
    if found:
        end, length = min(found)
        return end + length - at, None
    return 0, None
