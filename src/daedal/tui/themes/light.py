"""For light terminals."""

from daedal.tui.themes.dark import THEME as DARK

THEME = {
    **DARK,
    "accent": "blue #005f87",
    "brand": "bold blue #005f87",
    "good": "green #5f8700",
    "bad": "red #af0000",
    "warn": "yellow #875f00",
    "chosen": "bold blue #005f87",
    "code": "blue #005f5f",
    "link": "underline blue #0000af",
    "added": "green #5f8700",
    "removed": "red #af0000",
    "mode-plan": "bold blue #005f87",
    "mode-acceptEdits": "bold magenta #870087",
    "mode-bypassPermissions": "bold red #af0000",
    "token-keyword": "magenta #870087",
    "token-string": "green #5f8700",
    "token-number": "cyan #005f5f",
    "token-name": "blue #005faf",
}
