"""What /copy says to people."""

WORDS = {
    "tui.copy.about": "copy the last answer, or a block of code in it by its number",
    "tui.copy.nothing": "there is no answer to copy yet",
    "tui.copy.no_block": "there is no block {wanted} in the last answer · it has {count}",
    "tui.copy.by_program": "{count} characters copied ({program})",
    "tui.copy.by_terminal": "{count} characters handed to your terminal for the clipboard · should it have refused, they are in {path}",
    "tui.copy.too_long": "{count} characters are too many for the clipboard of a terminal · they are in {path}",
}
