"""How does a test of commands sit at the chat? It types one, and waits for what it shows; several share a terminal."""

from tests.tui.screen import Screen


def ready(screen: Screen) -> Screen:
    return screen.until("? for keys")


def command(screen: Screen, typed: str, shown: str) -> Screen:
    """Types a command into the empty composer; returns once the screen shows what it brings about."""
    screen.until("What shall be done?").type(f"{typed}\r")
    return screen.until(shown)
