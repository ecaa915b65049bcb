"""In which language does Daedal speak? As `--lang` says, else as the user's settings do, else the environment.

Decided before anything is parsed, because help comes from the catalogue too, and without whatever else reads settings,
because every start pays for it.
"""

import os

from daedal.protocol.catalogue import LANGUAGES, say, speak

FLAG = "--lang"
SETTING = "language"
VARIABLES = ("DAEDAL_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
"""The first that is set decides."""
HEAD_BYTES = 65_536
"""Where in a settings file the keys outside of tables stand."""


def settle(words: list[str]) -> list[str]:
    """Speaks it from now on. The words of the command line without the flag. Raises UsageError."""
    speak(_known(_set_by_user()) or _known(_set_around()) or LANGUAGES[0])
    ours = words[: words.index("--")] if "--" in words else words
    for index, word in enumerate(ours):
        name, sign, value = word.partition("=")
        if name != FLAG:
            continue
        taken = 1 if sign else 2
        wanted = value if sign else "".join(ours[index + 1 : index + 2])
        language = _known(wanted)
        if language is None:
            from daedal.protocol.errors import UsageError

            raise UsageError(say("cli.no_such_language", language=wanted, known=", ".join(LANGUAGES)))
        speak(language)
        return words[:index] + words[index + taken :]
    return words


def _known(tag: str) -> str | None:
    """Of `zh`, `zh-Hans`, `zh_CN.UTF-8`: the language, where there is a catalogue for it."""
    language = tag.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return language if language in LANGUAGES else None


def _set_around() -> str:
    return next((value for name in VARIABLES if (value := os.environ.get(name))), "")


def _set_by_user() -> str:
    """What the user's config.toml says; whether the file makes sense is found out by those who read all of it."""
    folder = os.path.expanduser(os.environ.get("DAEDAL_HOME") or "~/.daedal")
    try:
        # Without waiting: somebody may have put a pipe there.
        file = os.open(os.path.join(folder, "config.toml"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        head = os.read(file, HEAD_BYTES)
    except OSError:
        return ""
    finally:
        os.close(file)
    return _top_level(head.decode("utf-8", "replace")) if SETTING.encode() in head else ""


def _top_level(text: str) -> str:
    """The value of our key before the first table, outside of texts of several lines."""
    is_inside = False
    for line in text.splitlines():
        if not is_inside and line.lstrip().startswith("["):
            break
        name, _, value = line.partition("=")
        if not is_inside and name.strip().strip("\"'") == SETTING:
            return value.partition("#")[0].strip().strip("\"'")
        is_inside ^= (line.count('"""') + line.count("'''")) % 2 == 1
    return ""
