"""Which sentences do people read? One folder per language, one file per room that speaks, and `say` to look them up.

Text for the model (tool descriptions, tool results) is not here: it stays beside its tool.
"""

from importlib import import_module

LANGUAGE = "en"


def say(key: str, /, **values: object) -> str:
    """The sentence named `room.name`, with its values filled in. A room's file is loaded when it first speaks."""
    room = key.partition(".")[0]
    words: dict[str, str] = import_module(f"{__name__}.{LANGUAGE}.{room}").WORDS
    return words[key].format(**values) if values else words[key]
