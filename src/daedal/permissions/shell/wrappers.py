"""What would a command start that starts others? The inner commands, and a doubt where they cannot be seen."""

import re
from collections.abc import Callable

from daedal.permissions.shell.git_settings import is_harmless_setting
from daedal.permissions.shell.options import Opaque, Option, leading
from daedal.permissions.shell.script import Command, Piece, Script, Word
from daedal.permissions.shell.wrapper_table import OPAQUE, SHELLS, WRAPPERS, Wrapper

Found = tuple[list[Command], list[str]]
Parse = Callable[[str], Script]

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_CALL = re.compile(r"-[a-z]*c|--ca?l?l?")
_UNKNOWN = Word(raw="{}", text=None, pieces=(Piece(is_quoted=True),))
_EXECUTING = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_GIT_VALUES = frozenset({"-C", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source"})


def unwrapped(command: Command, parse: Parse) -> Found:
    """The commands that this one would start, and those that they would start, in order."""
    if not command.words:
        return [], []
    head = command.words[0].text
    if head is None or command.words[0].is_pattern:
        return [], [f"a command that only the shell knows: {command.words[0].raw}"]
    name = head.rpartition("/")[2]
    if name in OPAQUE:
        return [], [OPAQUE[name]]
    try:
        return _inner(name, command, parse)
    except Opaque as opaque:
        return [], [f"what `{name}` would start: {opaque}"]


def _inner(name: str, command: Command, parse: Parse) -> Found:
    match name:
        case "find":
            return _find(command, parse)
        case "git":
            return [], _git(command.words)
        case "trap":
            return _texts(name, command, parse, command.words[1:2] if len(command.words) > 2 else [])
        case "printf" if any(word.text == "-v" for word in command.words[1:2]):
            return [], ["`printf -v`, which assigns a variable"]
        case "npx" | "bunx" | "npm" | "pnpm" | "yarn":
            return _texts(name, command, parse, list(_call_texts(command.words)))
        case "command" if command.words[1:] and (command.words[1].text or "")[:2] in ("-v", "-V"):
            return [], []
        case _ if name in WRAPPERS:
            return _wrapped(name, WRAPPERS[name], command, parse)
        case _:
            return [], []


def _wrapped(name: str, wrapper: Wrapper, command: Command, parse: Parse) -> Found:
    texts: list[Word] = []
    at = 1
    for step in leading(command.words, 1, wrapper):
        if isinstance(step, Option):
            if step.name in wrapper.texts and step.value is not None:
                texts.append(step.value)
        else:
            at = step
    if name in SHELLS:
        texts += [_quoted(redirect.body) for redirect in command.redirects if redirect.body is not None and not texts]
        texts += [redirect.target for redirect in command.redirects if redirect.operator == "<<<"]
        return _texts(name, command, parse, texts)
    if texts:
        return _texts(name, command, parse, texts)
    assignments: list[tuple[str, Word]] = []
    while wrapper.takes_assignments and at < len(command.words) and (given := _assignment(command.words[at])):
        assignments.append(given)
        at += 1
    words = command.words[at + wrapper.skip :]
    if any(word.text is None for word in command.words[at : at + wrapper.skip + 1]):
        raise Opaque("a word that only the shell knows")
    if wrapper.joins:
        return _joined(name, command, parse, words)
    if name == "xargs":
        words = [*(words or [_quoted("echo")]), _UNKNOWN]
    return _started(name, command, parse, words, assignments)


def _assignment(word: Word) -> tuple[str, Word] | None:
    match = _ASSIGNMENT.match(word.text if word.text is not None else word.raw)
    if match is None:
        return None
    text = None if word.text is None else word.text[match.end() :]
    return match[1], Word(raw=word.raw, text=text, pieces=word.pieces)


def _started(
    name: str, command: Command, parse: Parse, words: list[Word], assignments: list[tuple[str, Word]] | None = None
) -> Found:
    if not words:
        return [], []
    inner = Command(
        words=words,
        assignments=assignments or [],
        # What the wrapper reads, the program inside reads.
        redirects=[redirect for redirect in command.redirects if redirect.operator.startswith("<")],
        within=(*command.within, f"wrapper:{name}"),
        scope=command.scope,
        joined=command.joined,
        chain=command.chain,
        follows=command.follows,
    )
    further, doubts = unwrapped(inner, parse)
    return [inner, *further], doubts


def _joined(name: str, command: Command, parse: Parse, words: list[Word]) -> Found:
    if not words:
        return [], []
    if any(word.text is None or word.is_pattern for word in words):
        raise Opaque("words that only the shell knows")
    return _texts(name, command, parse, [_quoted(" ".join(word.text or "" for word in words))])


def _texts(name: str, command: Command, parse: Parse, texts: list[Word]) -> Found:
    commands: list[Command] = []
    doubts: list[str] = []
    for text in texts:
        if text.text is None:
            raise Opaque("text that only the shell knows")
        script = parse(text.text)
        commands += [_placed(inner, command, name) for inner in script.commands]
        doubts += script.doubts
    return commands, doubts


def _placed(inner: Command, outer: Command, name: str) -> Command:
    return Command(
        words=inner.words,
        assignments=inner.assignments,
        redirects=inner.redirects,
        within=(*outer.within, f"wrapper:{name}", *inner.within),
        scope=(*outer.scope, -1, *inner.scope),
        joined=inner.joined,
        chain=inner.chain,
        follows=inner.follows,
    )


def _find(command: Command, parse: Parse) -> Found:
    commands: list[Command] = []
    doubts: list[str] = []
    words = command.words
    at = 1
    while at < len(words):
        if words[at].text not in _EXECUTING:
            at += 1
            continue
        end = at + 1
        while end < len(words) and not _ends_exec(words, end):
            end += 1
        inner = [_UNKNOWN if "{}" in (word.text or "") else word for word in words[at + 1 : end]]
        found, unknown = _started("find", command, parse, inner)
        commands += found
        doubts += unknown
        at = end + 1
    return commands, doubts


def _ends_exec(words: list[Word], at: int) -> bool:
    return words[at].text == ";" or (words[at].text == "+" and words[at - 1].text == "{}")


def _call_texts(words: list[Word]) -> list[Word]:
    """Shell text in `npx -c TEXT` and `npm exec --call TEXT`; what follows a package's name is the package's own."""
    at = 1
    if words[0].text in ("npm", "pnpm", "yarn"):
        at = next((place + 1 for place, word in enumerate(words[:4]) if word.text in ("exec", "x")), len(words))
    texts: list[Word] = []
    while at < len(words) and (text := words[at].text or "").startswith("-") and text != "--":
        name, equals, value = text.partition("=")
        takes_value = bool(_CALL.fullmatch(name)) or name in ("-p", "--package", "-w", "--workspace")
        if _CALL.fullmatch(name):
            texts += [_quoted(value)] if equals else words[at + 1 : at + 2]
        at += 2 if takes_value and not equals else 1
    return texts


def _git(words: list[Word]) -> list[str]:
    """Settings given on the command line can name programs to run."""
    at = 1
    while at < len(words) and (text := words[at].text) is not None and text.startswith("-"):
        if text in ("-c", "--config-env"):
            setting = words[at + 1].text if at + 1 < len(words) else None
            if text != "-c" or setting is None or not is_harmless_setting(setting):
                return [f"git with the setting {words[at + 1].raw if at + 1 < len(words) else ''}"]
            at += 1
        elif text.startswith(("--config-env=", "--exec-path=")):
            return [f"git with {text}"]
        elif text in _GIT_VALUES:
            at += 1
        at += 1
    return []


def _quoted(text: str) -> Word:
    return Word(raw=text, text=text)
