"""Which words of the shell itself may be used, and with which arguments?"""

import re

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.call import Call
from daedal.permissions.guard.environment import check_assignment
from daedal.permissions.guard.places import Zone
from daedal.permissions.guard.refusal import Refused, Rule

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SET_LETTERS = re.compile(r"[-+][euxvo]+")
_SET_NAMES = frozenset({"pipefail", "errexit", "nounset", "xtrace", "verbose"})


def cd_targets(call: Call) -> frozenset[str]:
    """Where a `cd` leads. Only inside the project or the temporary folder, and only where its word says so."""
    operands = [arg for arg in call.args if arg.text not in ("--", "-P", "-L", "-e")]
    if len(operands) != 1 or operands[0].text in ("-", "") or (operands[0].text or "").startswith("-"):
        raise Refused(
            Rule.OUTSIDE, "cd needs one folder inside the project or /tmp. Name it, as in `cd packages/core`."
        )
    target = operands[0]
    if target.text is None or target.is_pattern:
        raise Refused(
            Rule.CONSTRUCT, f"where `cd {target.raw}` leads is only known to the shell. Name the folder in the project."
        )
    if "loop" in call.command.within and not _is_local(call.command.within) and not target.text.startswith("/"):
        raise Refused(Rule.CONSTRUCT, "a relative cd inside a loop adds up. Put it in brackets: ( cd DIR && … ).")
    paths = frozenset(call.paths(target))
    # Where an earlier cd may have failed, one of several paths may leave; writing is then checked from there too.
    if all(call.ground.places.zone(path) is Zone.OUTSIDE for path in paths):
        raise Refused(
            Rule.OUTSIDE, f"cd {target.raw} leaves the project. Stay inside the project or /tmp, and use paths."
        )
    return paths


def _is_local(within: tuple[str, ...]) -> bool:
    """Whether each round of the loop has a shell of its own."""
    inner = within[len(within) - within[::-1].index("loop") :]
    return any(label in ("subshell", "pipe", "background", "substitution", "process substitution") for label in inner)


def check_export(call: Call) -> None:
    for arg in call.args:
        name, equals, value = (arg.text if arg.text is not None else arg.known).partition("=")
        if not _NAME.fullmatch(name):
            raise Refused(Rule.CONSTRUCT, f"export {arg.raw} is not a plain NAME=VALUE. Export plain variables only.")
        known = Arg(arg.raw, value if arg.text is not None and equals else None, is_computed=arg.is_computed)
        check_assignment(name, known, call.ground.places, call.cwds)


def check_names(call: Call) -> None:
    """`read` and `unset`: plain names, none of which decides what runs."""
    for arg in call.args:
        if call.name == "read" and arg.text in ("-r", "-s"):
            continue
        if arg.text is None or not _NAME.fullmatch(arg.text):
            raise Refused(Rule.CONSTRUCT, f"{call.name} {arg.raw} is not a plain variable name.")
        check_assignment(arg.text, Arg(arg.raw, None), call.ground.places, call.cwds)


def check_set(call: Call) -> None:
    for arg in call.args:
        if arg.text is None or not (_SET_LETTERS.fullmatch(arg.text) or arg.text in _SET_NAMES):
            raise Refused(Rule.CONSTRUCT, f"set {arg.raw} is not allowed; -e, -u, -x and -o pipefail are.")


def check_command(call: Call) -> None:
    if not call.args or call.args[0].text not in ("-v", "-V"):
        raise Refused(Rule.UNLISTED, "`command` may only look up a name, as in `command -v NAME`. Run it directly.")


def check_harmless(call: Call) -> None:
    del call


WORD_CHECKS = {
    "export": check_export,
    "read": check_names,
    "unset": check_names,
    "set": check_set,
    "command": check_command,
    **dict.fromkeys(
        ["true", "false", "test", "[", "[[", ":", "exit", "break", "continue", "wait", "type"], check_harmless
    ),
}
