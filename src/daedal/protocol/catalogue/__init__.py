"""Which sentences do people read? One folder per language, one file per room that speaks, and `say` to look them up.

The command line says so much that each command has a file of its own: `cli.exec.model` stands in `cli/exec.py`.

Text for the model (tool descriptions, tool results) is not here: it stays beside its tool.
"""

from importlib import import_module

LANGUAGE = "en"


def say(key: str, /, **values: object) -> str:
    """The sentence named `room.name`, with its values filled in. A room's file is loaded when it first speaks."""
    room, _, rest = key.partition(".")
    command = rest.partition(".")[0] if room == "cli" and "." in rest else ""
    file = f"{room}.{command}" if command else room
    words: dict[str, str] = import_module(f"{__name__}.{LANGUAGE}.{file}").WORDS
    return words[key].format(**values) if values else words[key]
