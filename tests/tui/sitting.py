"""How does a test sit at the chat? It types, and waits for what that shows; several commands share a terminal.

That an answer is seen does not mean that the turn is over: the composer says that, by what it offers while it is empty.
"""

from collections.abc import Callable

from tests.tui.screen import Screen

IDLE = "What shall be done?"
BUSY = "What else? It is said when this is done"
LISTENS = "letter, or ↑↓ and Enter"
"""Below a card that takes keys."""


def ready(screen: Screen, mode: str = "? for keys") -> Screen:
    """The engine is there, and nothing goes on."""
    return screen.until(mode).until(IDLE)


def answered(screen: Screen, answer: str) -> Screen:
    """The turn that says this is over."""
    return screen.until(answer).until(IDLE)


def ask(screen: Screen, prompt: str, answer: str) -> Screen:
    screen.until(IDLE).type(f"{prompt}\r")
    return answered(screen, answer)


def command(screen: Screen, typed: str, shown: str | Callable[[Screen], bool]) -> Screen:
    """Types a command into the empty composer; returns once the screen shows what it brings about."""
    screen.until(IDLE).type(f"{typed}\r")
    return screen.until(shown)


def again(shown: str) -> Callable[[Screen], bool]:
    """For what the screen shows once already."""
    return lambda screen: screen.text.count(shown) > 1


def card(screen: Screen, about: str) -> Screen:
    """A card about this is up and takes keys: one that follows another one is deaf for a moment."""
    return screen.until(lambda screen: about in screen.text and LISTENS in screen.text)
