"""Which files does a line of shell say it would change or open? Only what is plain to see: the walls hold the rest."""

from collections.abc import Iterator

from daedal.permissions.rules.place import Place
from daedal.permissions.rules.words import assigned, expanded
from daedal.permissions.shell import Command, Script

WRITERS = frozenset(
    "chmod chown cp dd install ln mkdir mv rm rmdir rsync shred tee"  # noqa: SIM905 - reads better
    " touch truncate unlink".split()
)


SHOWERS = frozenset(
    "awk base64 bat cat cmp cp cut diff egrep fgrep grep head hexdump jq less more mv nl od paste"  # noqa: SIM905 - reads better
    " rg sed sort source strings tac tail tee uniq wc xxd yq . rsync scp tar zip".split()
)
"""Programs that are made for showing or copying what they are given."""


def written(script: Script, cwd: str, place: Place) -> Iterator[str]:
    """Absolute paths that redirections write to, and that programs made for changing files are given."""
    known = assigned(script, place.home)
    for command in script.commands:
        targets = [redirect.target for redirect in command.redirects if redirect.writes]
        words = command.words[1:] if _changes_files(command) else []
        for word in [*targets, *words]:
            text = expanded(word, known)
            if text:
                yield from _places(text.removeprefix("of="), cwd, place)


def shown(script: Script, cwd: str, place: Place) -> Iterator[str]:
    """Absolute paths that programs made for showing files are given, and that redirections read from."""
    known = assigned(script, place.home)
    for command in script.commands:
        program = (command.words[0].text or "") if command.words else ""
        words = command.words[1:] if program.rpartition("/")[2] in SHOWERS else []
        sources = [redirect.target for redirect in command.redirects if redirect.operator in ("<", "<>")]
        for word in [*words, *sources]:
            text = expanded(word, known)
            if text and not text.startswith("-"):
                yield from _places(text, cwd, place)


def named(script: Script, cwd: str, place: Place) -> Iterator[str]:
    """Absolute paths of everything that could be one."""
    known = assigned(script, place.home)
    for command in script.commands:
        for word in [*command.words[1:], *(redirect.target for redirect in command.redirects)]:
            text = expanded(word, known)
            if text and ("/" in text or "." in text):
                yield from _places(text.rpartition("=")[2] or text, cwd, place)


def _places(text: str, cwd: str, place: Place) -> set[str]:
    """The path as it is written, and where it leads."""
    path = place.absolute(text, cwd)
    return {path, place.resolve(path)}


def _changes_files(command: Command) -> bool:
    program = (command.words[0].text or "") if command.words else ""
    name = program.rpartition("/")[2]
    if name == "sed":
        return any((word.text or "").startswith(("-i", "--in-place")) for word in command.words)
    return name in WRITERS
