"""Which colours does the chat wear? One file per theme: style → words, as `terminal.styles.Theme` says.

Colours have fixed meanings: `accent` is what the person can act on, `good` and `bad` are outcomes, `warn` waits for
the person, `quiet` is what one need not read.
"""

from importlib import import_module

from daedal.tui.terminal.styles import Theme

NAMES = ("dark", "light", "plain")


def theme(name: str) -> Theme:
    """The default where there is none of that name."""
    return import_module(f"{__name__}.{name if name in NAMES else NAMES[0]}").THEME
