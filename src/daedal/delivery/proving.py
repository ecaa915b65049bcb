"""Does a command prove anything by succeeding? Not where something harmless decides how the line ends."""

from collections.abc import Sequence

from daedal.permissions import Command, parse

IDLE = frozenset(
    {
        "true", ":", "echo", "printf", "ls", "pwd", "cd", "cat", "head", "tail", "wc", "sort", "uniq", "cut", "tr",
        "tac",
        "date", "sleep", "which", "type", "tree", "find", "ps", "lsof", "git", "mkdir", "cp", "mv", "rm", "touch",
        "chmod", "export", "set", "exit", "return", "read", "tee", "less", "more", "env", "sed", "awk", "kill", "pkill",
        "jq",
    }
)  # fmt: skip
"""Succeeds whatever the project is like, or changes it."""
WRAPPERS = frozenset({"timeout", "env", "nice", "nohup", "time", "command", "exec", "xargs", "stdbuf"})
ASKING = frozenset({"--version", "-V", "--help", "-h", "-v", "version", "help"})
INLINE = frozenset({"-c", "-e", "--eval", "-p", "--print"})
INTERPRETERS = ("python", "node", "deno", "bun", "ruby", "php", "perl", "bash", "sh")
FLOW = frozenset({"for", "loop", "condition", "branch", "while", "until", "case"})
LINE_MAX = 20_000


def why_it_proves_nothing(command: str) -> str:
    """For the model; empty where the exit code says something about the project."""
    if len(command) > LINE_MAX:
        return "the line is too long to be understood"
    script = parse(command)
    outer = [one for one in script.commands if not _is_inside(one)]
    if script.doubts or not outer or any(word in FLOW for one in outer for word in one.within):
        return "the line cannot be understood: run the check as a plain command of its own"
    deciding = _deciding(outer)
    if deciding is None:
        return "after `||` it succeeds even where the check fails: run the check alone"
    for one in deciding:
        if "background" in one.within:
            return "it runs in the background, so nobody knows how it ended"
    if deciding[-1].within and "pipe" in deciding[-1].within and _is_idle(deciding[-1]):
        return "a pipe ends as its last command does: run the check without the pipe"
    if all(_is_idle(one) for one in deciding):
        return "it succeeds whatever the project is like: run a test, a build, or the program itself"
    return ""


def _is_inside(one: Command) -> bool:
    return any(word == "substitution" or word.startswith("wrapper:") for word in one.within)


def _deciding(commands: Sequence[Command]) -> list[Command] | None:
    """Those on whose success the exit code depends: the last list's, of each pipe the last; None where any will do."""
    chain = commands[-1].chain
    last = [one for one in commands if one.chain == chain]
    if any(one.joined == "||" for one in last):
        return None
    kept: list[Command] = []
    for one in last:
        # What stands before in the same pipe decides nothing.
        if kept and "pipe" in one.within and "pipe" in kept[-1].within and one.joined != "&&":
            kept.pop()
        elif kept and one.joined == ";" and "pipe" not in one.within:
            kept.clear()
        kept.append(one)
    return kept


def _is_idle(one: Command) -> bool:
    words = [word.text if word.text is not None else "?" for word in one.words]
    while words and _base(words[0]) in WRAPPERS:
        words = words[1:]
        while words and (
            words[0].startswith("-") or "=" in words[0] or words[0].rstrip("smhd").replace(".", "").isdigit()
        ):
            words = words[1:]
    if not words:
        return True
    name, arguments = _base(words[0]), words[1:]
    if name in IDLE:
        return True
    if arguments and all(word in ASKING for word in arguments):
        return True
    if name.startswith(INTERPRETERS) and arguments and arguments[0] in INLINE:
        code = arguments[1].strip() if len(arguments) > 1 else ""
        return not any(word in code for word in ("import", "require", "assert", "open(", "exit", "./"))
    return False


def _base(word: str) -> str:
    return word.rsplit("/", 1)[-1]
