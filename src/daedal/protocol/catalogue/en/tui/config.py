"""What /config says to people."""

WORDS = {
    "tui.config.about": "browse the settings, see who set them, set one",
    "tui.config.title": "Settings",
    "tui.config.keys": "type to search · Enter changes one · Esc goes back",
    "tui.config.value": "{key}: {meaning} · an empty line takes it out of your settings",
    "tui.config.unknown": "there is no setting {key} · /config lists them",
    "tui.config.general": "general",
    "tui.config.now": "value",
    "tui.config.origin": "set by",
    "tui.config.next": "from the next start on",
    "tui.config.meaning": "meaning",
    "tui.config.changed": "changed",
    "tui.config.written": "{key} = {value} is written to {file} · it holds from the next start on",
    "tui.config.removed": "{key} is taken out of {file} · that holds from the next start on",
}
