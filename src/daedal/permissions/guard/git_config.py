"""May git's settings be read or written? Reading may; writing only what cannot make git run a program."""

import re

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.getopt import refuse_hidden_option
from daedal.permissions.guard.refusal import Refused, Rule
from daedal.permissions.shell.git_settings import is_harmless_setting

_READING = frozenset(
    [
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "--get-color",
        "--get-colorbool",
        "-l",
        "--list",
        "get",
        "list",
    ]
)
_PLAIN = frozenset(
    [
        "--local",
        "--worktree",
        "--global",
        "--system",
        "--bool",
        "--int",
        "--bool-or-int",
        "--path",
        "--null",
        "-z",
        "--name-only",
        "--show-origin",
        "--show-scope",
        "--includes",
        "--no-includes",
        "--type",
        "--default",
        "--fixed-value",
        "--all",
        "--regexp",
    ]
)
_WRITING = frozenset(["--add", "--replace-all", "--unset", "--unset-all", "set", "unset"])
_BRANCH = re.compile(r"branch\..+\.(remote|merge|rebase|description|pushremote)", re.IGNORECASE)


def check_config(args: list[Arg]) -> None:
    for arg in args:
        refuse_hidden_option(arg)
    texts = [arg.text if arg.text is not None else arg.known for arg in args]
    names = {text.partition("=")[0] for text in texts if text.startswith("-")}
    is_reading = not names.isdisjoint(_READING) or texts[:1] in (["get"], ["list"])
    if is_reading and names.isdisjoint(_WRITING):
        return
    if not names <= _PLAIN | _WRITING:
        raise _refused(" ".join(sorted(names - _PLAIN - _WRITING)))
    operands = [text for text in texts if not text.startswith("-") and text not in ("set", "unset")]
    is_writing = bool(names & _WRITING) or texts[:1] in (["set"], ["unset"]) or len(operands) > 1
    if is_writing and not (operands and (is_harmless_setting(operands[0]) or _BRANCH.fullmatch(operands[0]))):
        raise _refused(operands[0] if operands else "")


def _refused(what: str) -> Refused:
    return Refused(
        Rule.GIT,
        f"git config {what} could make git run a program. Only read settings, or set plain ones like user.name.",
    )
