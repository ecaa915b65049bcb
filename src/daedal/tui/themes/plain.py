"""Without colours: bold, dim and underlined."""

from daedal.tui.terminal.styles import ATTRIBUTES
from daedal.tui.themes.dark import THEME as DARK

THEME = {style: " ".join(word for word in words.split() if word in ATTRIBUTES) for style, words in DARK.items()}
