"""May this git command run? Ordinary use may; git used to run other programs or to reach the state folder may not."""

import re

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.call import Call, check_write, refuse_write
from daedal.permissions.guard.getopt import Reading, Syntax, read
from daedal.permissions.guard.git_config import check_config
from daedal.permissions.guard.git_table import (
    GLOBAL_FLAGS,
    NETWORK,
    ORDINARY,
    OUTPUTS,
    RUNNING,
    RUNNING_SHORT,
    STRATEGIES,
    VALUES,
)
from daedal.permissions.guard.git_tree import check_tree_changes
from daedal.permissions.guard.places import Zone
from daedal.permissions.guard.refusal import Refused, Rule
from daedal.permissions.shell.git_settings import is_harmless_setting

_HELPER = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*::")
_OPTION_LIKE = re.compile(r"--?[A-Za-z]")
_WITH_MESSAGES = frozenset({"commit", "tag", "merge", "notes", "stash"})
_WITH_STRATEGIES = frozenset({"merge", "rebase", "pull", "cherry-pick", "revert"})
_DESTINATIONS = {"clone": 1, "init": 0}


def check_git(call: Call) -> None:
    call, rest = _without_global_options(call)
    if not rest:
        return None
    subcommand = rest[0].text
    if subcommand is None or rest[0].is_pattern or subcommand not in ORDINARY:
        raise _refused(
            f"git {rest[0].raw} may be an alias or runs other programs. Use the ordinary git commands directly."
        )
    if subcommand == "config":
        return check_config(rest[1:])
    reading = _read(subcommand, rest[1:])
    _check_options(subcommand, reading, rest)
    _check_actions(subcommand, reading)
    _check_outputs(call, subcommand, reading)
    if subcommand in NETWORK:
        _check_addresses(reading)
    check_tree_changes(call, subcommand, reading)
    return None


def _refused(reason: str) -> Refused:
    return Refused(Rule.GIT, reason)


def _without_global_options(call: Call) -> tuple[Call, list[Arg]]:
    """What stands before the subcommand. `-C` moves everything after it."""
    args = call.args
    at = 0
    while at < len(args):
        text = args[at].text
        if text is None:
            raise _refused(f"which git command {args[at].raw} is, is only known to the shell. Write it out.")
        if not text.startswith("-"):
            break
        if text in ("-C", "-c"):
            value = args[at + 1] if at + 1 < len(args) else None
            if value is None or value.text is None:
                raise _refused(f"git {text} needs a value that is written out.")
            if text == "-C":
                call = _moved(call, value)
            elif not is_harmless_setting(value.text):
                raise _refused(f"git -c {value.raw} can make git run a program. Leave the setting out.")
            at += 2
        elif text in GLOBAL_FLAGS:
            at += 1
        else:
            raise _refused(f"git {text} can make git use other settings or programs. Leave the option out.")
    return call, args[at:]


def _moved(call: Call, folder: Arg) -> Call:
    if Zone.OUTSIDE in call.zones(folder):
        raise Refused(Rule.OUTSIDE, f"git -C {folder.raw} leaves the project. Work inside the project.")
    return call._replace(cwds=frozenset(call.paths(folder)))


def _read(subcommand: str, args: list[Arg]) -> Reading:
    names = VALUES.get(subcommand, "").split()
    values = frozenset(f"-{name}" if len(name) == 1 else f"--{name}" for name in names)
    return read("git", args, Syntax(values | {"--output"}))


def _check_options(subcommand: str, reading: Reading, words: list[Arg]) -> None:
    values = VALUES.get(subcommand, "").split()
    letters = RUNNING_SHORT.get(subcommand, "")
    for name, value in reading.options:
        if name.startswith("--"):
            if name[2:] not in values and any(running.startswith(name) for running in RUNNING):
                raise _refused(f"git {subcommand} {name} can run another program. Leave the option out.")
        elif name[1] in letters:
            raise _refused(f"git {subcommand} {name} can run another program. Leave the option out.")
        is_word = any(value is word for word in words) and subcommand not in _WITH_MESSAGES
        if is_word and value is not None and _OPTION_LIKE.match(value.text or value.known):
            raise _refused(
                f"git {subcommand} {name} {value.raw}: a value that looks like an option. Write {name}=VALUE."
            )
        is_strategy = name in ("-s", "--strategy") and subcommand in _WITH_STRATEGIES
        if is_strategy and value is not None and value.text not in STRATEGIES:
            raise _refused(f"git {subcommand} {name} {value.raw} would run a program of that name.")


def _check_actions(subcommand: str, reading: Reading) -> None:
    """Subcommands of subcommands that take a program."""
    words = [arg.text for arg in reading.operands]
    if subcommand == "bisect" and words[:1] not in ([], *([word] for word in _BISECT)):
        raise _refused("git bisect run starts a program. Test each step yourself, then say good or bad.")
    if subcommand == "submodule" and "foreach" in words:
        raise _refused("git submodule foreach starts a program. Visit the submodules one by one.")
    if subcommand == "lfs" and words[:1] not in (["ls-files"], ["status"], ["pull"], ["fetch"], ["env"], ["track"]):
        raise _refused("git lfs may only list, fetch and pull.")
    if subcommand == "help" and reading.has("-w", "--web", "-i", "--info", "-m", "--man"):
        raise _refused("git help with a viewer starts a program. Use `git help NAME` alone.")


_BISECT = frozenset(
    {"start", "good", "bad", "old", "new", "skip", "reset", "log", "terms", "replay", "view", "visualize"}
)


def _check_outputs(call: Call, subcommand: str, reading: Reading) -> None:
    for name, value in reading.options:
        if name == "--output" or name in OUTPUTS.get(subcommand, ()):
            if value is None:
                raise _refused(f"git {subcommand} {name} needs a path that is written out.")
            if subcommand in ("archive", "checkout-index", "read-tree") and name == "--prefix":
                _refuse_state(call, value)
            else:
                check_write(call, value)
    operands = reading.operands
    if subcommand == "bundle" and operands and operands[0].text == "create" and len(operands) > 1:
        check_write(call, operands[1])
    if subcommand == "worktree" and operands and operands[0].text in ("add", "move"):
        for path in operands[1:2] if operands[0].text == "add" else operands[2:3]:
            check_write(call, path)
    if subcommand in _DESTINATIONS and len(operands) > _DESTINATIONS[subcommand]:
        check_write(call, operands[-1])
    if subcommand == "submodule" and operands and operands[0].text == "add" and len(operands) > 2:
        check_write(call, operands[2])


def _refuse_state(call: Call, value: Arg) -> None:
    if value.text is None or Zone.STATE in call.zones(value):
        refuse_write(Zone.STATE, value.raw, is_sync=call.ground.is_sync)


def _check_addresses(reading: Reading) -> None:
    for arg in [*reading.operands, *(value for _, value in reading.options if value is not None)]:
        text = arg.text if arg.text is not None else arg.known
        if _HELPER.match(text) or "proxycommand" in text.lower() or text.startswith("ssh://-"):
            raise _refused(f"{arg.raw} makes git start a helper program. Use https, ssh or a plain path.")
