"""What do keys do to a text, as in a shell? The table of editing keys."""

from collections.abc import Callable

from daedal.tui.editing.buffer import Buffer
from daedal.tui.terminal.keys import Key


def _kill_to_end(buffer: Buffer) -> None:
    end = buffer.line_end
    buffer.delete(buffer.at, end if end > buffer.at else end + 1, kill=True)


def _kill_to_start(buffer: Buffer) -> None:
    start = buffer.line_start
    buffer.delete(start if start < buffer.at else buffer.at - 1, buffer.at, kill=True)


def _swap(buffer: Buffer) -> None:
    at = min(buffer.at, len(buffer.text) - 1)
    if at > 0:
        text = buffer.text
        buffer.change(text[: at - 1] + text[at] + text[at - 1] + text[at + 1 :], at + 1)


def _yank(buffer: Buffer) -> None:
    if buffer.killed:
        buffer.insert(buffer.killed[-1])


MOVES: dict[str, Callable[[Buffer], int]] = {
    "left": lambda buffer: buffer.at - 1,
    "right": lambda buffer: buffer.at + 1,
    "ctrl+b": lambda buffer: buffer.at - 1,
    "ctrl+f": lambda buffer: buffer.at + 1,
    "home": lambda buffer: buffer.line_start,
    "end": lambda buffer: buffer.line_end,
    "ctrl+a": lambda buffer: buffer.line_start,
    "ctrl+e": lambda buffer: buffer.line_end,
    "ctrl+left": Buffer.word_left,
    "alt+left": Buffer.word_left,
    "alt+b": Buffer.word_left,
    "ctrl+right": Buffer.word_right,
    "alt+right": Buffer.word_right,
    "alt+f": Buffer.word_right,
    "ctrl+home": lambda _: 0,
    "ctrl+end": lambda buffer: len(buffer.text),
    "alt+<": lambda _: 0,
    "alt+>": lambda buffer: len(buffer.text),
}

CHANGES: dict[str, Callable[[Buffer], object]] = {
    "backspace": lambda buffer: buffer.delete(buffer.at - 1, buffer.at) if buffer.at else None,
    "shift+backspace": lambda buffer: buffer.delete(buffer.at - 1, buffer.at) if buffer.at else None,
    "delete": lambda buffer: buffer.delete(buffer.at, buffer.at + 1),
    "ctrl+d": lambda buffer: buffer.delete(buffer.at, buffer.at + 1),
    "ctrl+k": _kill_to_end,
    "ctrl+u": _kill_to_start,
    "ctrl+w": lambda buffer: buffer.delete(buffer.blank_left(), buffer.at, kill=True),
    "alt+backspace": lambda buffer: buffer.delete(buffer.word_left(), buffer.at, kill=True),
    "ctrl+backspace": lambda buffer: buffer.delete(buffer.word_left(), buffer.at, kill=True),
    "alt+d": lambda buffer: buffer.delete(buffer.at, buffer.word_right(), kill=True),
    "ctrl+delete": lambda buffer: buffer.delete(buffer.at, buffer.word_right(), kill=True),
    "ctrl+y": _yank,
    "ctrl+t": _swap,
    "ctrl+_": Buffer.undo,
    "ctrl+x": Buffer.undo,
    "alt+_": Buffer.redo,
    "space": lambda buffer: buffer.insert(" "),
    "shift+space": lambda buffer: buffer.insert(" "),
    "ctrl+j": lambda buffer: buffer.insert("\n"),
    "alt+enter": lambda buffer: buffer.insert("\n"),
    "shift+enter": lambda buffer: buffer.insert("\n"),
    "ctrl+enter": lambda buffer: buffer.insert("\n"),
}


def edit(buffer: Buffer, key: Key) -> bool:
    """Whether the key changed the text or moved in it."""
    if key.name in MOVES:
        buffer.move(MOVES[key.name](buffer))
    elif key.name in CHANGES:
        CHANGES[key.name](buffer)
    elif key.text and len(key.text) == 1:
        buffer.insert(key.text, typing=True)
    else:
        return False
    return True
