"""Would this git command change the state folder in the working tree?"""

import fnmatch
import re

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.call import Call, refuse_write
from daedal.permissions.guard.getopt import Reading
from daedal.permissions.guard.git_table import CHANGING
from daedal.permissions.guard.places import STATE_FOLDER, Zone
from daedal.permissions.guard.refusal import Refused, Rule

_MAGIC = re.compile(r":\(([a-z,:]*)\)|:([/!^]*)")
_EXCLUDES_STATE = re.compile(r":(?:[!^]/?|\((?:top,)?exclude(?:,top)?\))(?:\./)?\.daedal/?(?:\*{0,2})")
_STATE_FILES = (STATE_FOLDER, f"{STATE_FOLDER}/status.json", f"{STATE_FOLDER}/agent.json")
_PATCHED = re.compile(r"^(?:---|\+\+\+|diff --git|rename (?:from|to)|copy to).*\.daedal/", re.MULTILINE | re.IGNORECASE)


def check_tree_changes(call: Call, subcommand: str, reading: Reading) -> None:
    if subcommand not in CHANGING:
        return
    if any(call.ground.places.in_state(cwd) for cwd in call.cwds):
        refuse_write(Zone.STATE, f"the folder of git {subcommand}", is_sync=call.ground.is_sync)
    if subcommand in ("apply", "am"):
        _check_patch(call)
    if subcommand == "clean":
        _check_clean(call, reading)
    if subcommand == "stash":
        _check_stash(reading)
    if subcommand == "restore" and reading.has("--staged", "-S") and not reading.has("--worktree", "-W"):
        return
    if (subcommand == "read-tree" and not reading.has("-u")) or (subcommand == "merge-file" and reading.has("-p")):
        return
    if subcommand == "checkout-index" and reading.has("-a", "--all"):
        refuse_write(Zone.STATE, "git checkout-index --all", is_sync=call.ground.is_sync)
    paths = reading.operands[1:] if subcommand in ("stash", "worktree", "submodule") else reading.operands
    excludes = any(_EXCLUDES_STATE.fullmatch(operand.text or "") for operand in paths)
    for operand in paths:
        if _reaches_state(call, operand, broad=not excludes):
            refuse_write(Zone.STATE, f"git {subcommand} {operand.raw}", is_sync=call.ground.is_sync)
        if (operand.text or "").startswith(("..", "/")) and call.zones(operand) == {Zone.OUTSIDE}:
            refuse_write(Zone.OUTSIDE, operand.raw, is_sync=call.ground.is_sync)


def _check_patch(call: Call) -> None:
    bodies = [redirect.body for redirect in call.command.redirects if redirect.body is not None]
    if any(_PATCHED.search(body) for body in bodies) or call.ground.names_state:
        raise Refused(Rule.STATE, "the patch concerns .daedal/, which only Daedal writes. Leave that part out.")


def _check_clean(call: Call, reading: Reading) -> None:
    """Cleaning without a path takes everything that is not tracked, the state folder as well."""
    if reading.has("-n", "--dry-run"):
        return
    excluded = any(
        name in ("-e", "--exclude") and value is not None and (value.text or "").strip("/") == STATE_FOLDER
        for name, value in reading.options
    )
    if excluded and not any(_reaches_state(call, operand, broad=False) for operand in reading.operands):
        return
    if not reading.operands or any(_reaches_state(call, operand, broad=True) for operand in reading.operands):
        raise Refused(
            Rule.STATE, "git clean would also remove .daedal/. Name the folder to clean, or add `-e .daedal`."
        )


def _check_stash(reading: Reading) -> None:
    takes_untracked = reading.has("-u", "-a", "--include-untracked", "--all")
    saves = [operand.text for operand in reading.operands] in ([], ["push"], ["save"])
    if takes_untracked and saves:
        raise Refused(
            Rule.STATE, "stashing untracked files would take .daedal/ away. Name paths: `git stash push -u -- src`."
        )


def _reaches_state(call: Call, operand: Arg, *, broad: bool) -> bool:
    """Whether a pathspec matches the state folder. Git's own patterns cross folders and dots; `broad` counts what
    contains it, such as `.`."""
    text = operand.text
    if text is None:
        return STATE_FOLDER in operand.known.lower()
    places = call.ground.places
    magic = _MAGIC.match(text)
    if magic and magic[0] != ":":
        if "!" in magic[0] or "^" in magic[0] or "exclude" in magic[0]:
            return False
        text = text[magic.end() :]
        bases: frozenset[str] = frozenset({places.project}) if "/" in magic[0] or "top" in magic[0] else call.cwds
    else:
        bases = call.cwds
    for base in bases:
        path = places.absolute(text, base)
        if places.in_state(path, is_pattern=True) or (broad and places.holds_state(path, is_pattern=True)):
            return True
        relative = path.removeprefix(f"{places.project}/").lower()
        if any(letter in text for letter in "*?[") and any(
            fnmatch.fnmatchcase(name, relative) for name in _STATE_FILES
        ):
            return True
    return False
