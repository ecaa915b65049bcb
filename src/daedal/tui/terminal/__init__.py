"""How is a terminal read and written? Raw mode, keys, widths, styles, and an area at the bottom that is redrawn.

Our own, because the chat shall be on the screen before a toolkit would have been imported (docs/decisions/0010).
Finished text goes into the terminal's scrollback and is never touched again; below it a few rows are live.
"""
