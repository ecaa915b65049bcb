"""What does each key do in the chat? Overlays come first, then the menu, then the chat's own keys, then the text."""

import time
from collections.abc import Callable
from typing import Protocol

from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.frame import Frame
from daedal.tui.live.menu import Menu
from daedal.tui.overlay import Overlay
from daedal.tui.stage import Stage
from daedal.tui.talk import Talk
from daedal.tui.terminal.keys import Key

AGAIN_S = 1.5
"""So soon after the first one, a second press counts as such."""


class Deeds(Protocol):
    """What keys can have done that is not about the text."""

    def submit(self) -> None: ...

    def interrupt(self) -> None: ...

    def next_mode(self) -> None: ...

    def open_editor(self) -> None: ...

    def search_history(self) -> None: ...

    def suspend(self) -> None: ...

    def repaint(self) -> None: ...

    def complete(self) -> None:
        """The text has changed: something else may be offered."""
        ...

    def command(self, name: str) -> None: ...


class Keyboard:
    def __init__(self, face: Face, deeds: Deeds, frame: Frame, stage: Stage, talk: Talk) -> None:
        self._face = face
        self._deeds = deeds
        self._frame = frame
        self._stage = stage
        self._talk = talk
        self._last = ""
        self._last_at = 0.0
        self._own: dict[str, Callable[[], None]] = {
            "enter": self._enter,
            "escape": self._escape,
            "ctrl+c": self._ctrl_c,
            "shift+tab": deeds.next_mode,
            "ctrl+o": lambda: deeds.command("transcript"),
            "ctrl+g": deeds.open_editor,
            "ctrl+r": deeds.search_history,
            "ctrl+z": deeds.suspend,
            "ctrl+l": deeds.repaint,
        }

    def press(self, key: Key) -> None:
        self._frame.hint = ""
        is_heard = self._stage.pressed(key.name)
        overlay = self._stage.overlay if self._stage.has_keyboard else None
        if overlay is not None:
            if is_heard:
                self._in_overlay(overlay, key)
        elif self._frame.menu is None or not self._in_menu(key):
            self._in_chat(key)
        is_again = key.name == self._last
        self._last, self._last_at = (key.name, time.monotonic()) if not is_again else ("", 0.0)
        self._face.redraw()

    def _in_overlay(self, overlay: Overlay, key: Key) -> None:
        asked = overlay.asks
        overlay.key(key)
        if overlay.asks != asked:
            self._stage.asks_anew()
        if overlay.finished.done():
            self._stage.sent()
        elif key.text and not overlay.is_urgent:
            self._stage.typed()

    def _is_again(self, name: str) -> bool:
        return self._last == name and time.monotonic() - self._last_at < AGAIN_S

    def _in_menu(self, key: Key) -> bool:
        menu = self._fresh_menu()
        if menu is None:
            return False
        match key.name:
            case "up" | "ctrl+p":
                menu.move(-1)
            case "down" | "ctrl+n":
                menu.move(1)
            case "tab":
                self._accept()
            case "enter":
                is_command = menu.start == 0
                self._accept()
                if is_command:
                    self._enter()
            case "escape":
                self._frame.menu = None
            case _:
                return False
        return True

    def _fresh_menu(self) -> Menu | None:
        """Somebody may type faster than offers come."""
        menu, buffer = self._frame.menu, self._face.composer.buffer
        if menu is not None and buffer.at != menu.end:
            menu = self._frame.menu = menu.narrowed(buffer.text[menu.start : buffer.at], buffer.at)
        return menu

    def _accept(self) -> None:
        """What is offered takes the place of what was typed."""
        menu, buffer = self._frame.menu, self._face.composer.buffer
        assert menu is not None
        text = buffer.text[: menu.start] + menu.offer.text + buffer.text[menu.end :]
        buffer.change(text, menu.start + len(menu.offer.text))
        self._frame.menu = None
        self._deeds.complete()

    def _in_chat(self, key: Key) -> None:
        composer = self._face.composer
        if key.name in self._own:
            self._own[key.name]()
        elif key.name == "?" and not composer.text:
            self._deeds.command("keys")
        elif key.name == "ctrl+d" and not composer.text:
            self._face.leave()
        elif key.name == "up" and not composer.text and self._talk.queue:
            composer.text = self._talk.queue.pop().text
        elif composer.key(key):
            if key.text:
                self._stage.typed()
            self._deeds.complete()

    def _enter(self) -> None:
        if not self._face.composer.continued():
            self._frame.menu = None
            self._deeds.submit()

    def _escape(self) -> None:
        composer = self._face.composer
        if self._face.view.is_working:
            self._deeds.interrupt()
        elif composer.text and composer.key(Key("escape")):
            return  # vi has a use for it
        elif self._is_again("escape"):
            if composer.text:
                composer.history.add(composer.text, self._face.view.folder)
                composer.text = ""
            else:
                self._deeds.command("rewind")
        elif composer.text:
            self._frame.hint = say("tui.again_clears")

    def _ctrl_c(self) -> None:
        composer = self._face.composer
        if self._is_again("ctrl+c"):
            self._face.leave()
        elif composer.text:
            composer.history.add(composer.text, self._face.view.folder)
            composer.text = ""
            self._frame.menu = None
            self._frame.hint = say("tui.again_leaves")
        else:
            if self._face.view.is_working:
                self._deeds.interrupt()
            self._frame.hint = say("tui.again_leaves")
