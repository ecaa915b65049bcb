"""Which sentences do people read? One folder per language, one file per room that speaks, and `say` to look them up.

Two rooms say so much that each command has a file of its own: `cli.exec.model` stands in `cli/exec.py`, and
`tui.help.about` in `tui/help.py`. A sentence that a language lacks is said in English.

Text for the model (tool descriptions, tool results) is not here: it stays beside its tool.
"""

from importlib import import_module

LANGUAGES = ("en", "zh")
TALKATIVE = ("cli", "tui")

_spoken = LANGUAGES[0]
_loaded: dict[str, dict[str, str]] = {}
"""The files that spoke so far, as `en.cli.exec`."""


def speak(language: str) -> None:
    """From now on this process says its sentences in that language, one of `LANGUAGES`."""
    global _spoken
    _spoken = language


def spoken() -> str:
    """The language in which sentences are said."""
    return _spoken


def say(key: str, /, **values: object) -> str:
    """The sentence named `room.name`, with its values filled in. A room's file is loaded when it first speaks."""
    room, _, rest = key.partition(".")
    command = rest.partition(".")[0] if room in TALKATIVE and "." in rest else ""
    file = f"{room}.{command}" if command else room
    sentence = _words(_spoken, file).get(key) or _words("en", file)[key]
    return sentence.format(**values) if values else sentence


def _words(language: str, file: str) -> dict[str, str]:
    name = f"{language}.{file}"
    found = _loaded.get(name)
    if found is None:
        try:
            found = import_module(f"{__name__}.{name}").WORDS
        except ModuleNotFoundError:
            if language == "en":
                raise
            found = {}
        _loaded[name] = found
    return found
