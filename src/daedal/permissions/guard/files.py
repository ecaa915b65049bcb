"""May files be made, copied, moved, removed or made executable as written?"""

import re
from posixpath import basename, join

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.call import Call, check_write, refuse_write
from daedal.permissions.guard.getopt import Reading, read, syntax
from daedal.permissions.guard.places import Zone
from daedal.permissions.guard.refusal import Refused, Rule, unknown_path

_MKDIR = syntax("-m --mode", "-p -v --parents --verbose", is_strict=True)
_CP = syntax(
    "-t -S --target-directory --suffix",
    "-a -b -d -f -i -n -p -r -R -u -v -x -T -L -P -H -l -s --archive --force --interactive --no-clobber --recursive "
    "--update --verbose --no-target-directory --dereference --no-dereference --preserve --no-preserve --link "
    "--symbolic-link --parents --reflink --sparse --one-file-system --backup --attributes-only --remove-destination "
    "--copy-contents --strip-trailing-slashes",
    is_strict=True,
)
_MV = syntax(
    "-t -S --target-directory --suffix",
    "-f -i -n -u -v -b -T --force --interactive --no-clobber --update --verbose --backup --no-target-directory "
    "--strip-trailing-slashes",
    is_strict=True,
)
_RM = syntax(
    "",
    "-r -R -f -i -I -v -d --recursive --force --interactive --verbose --dir --one-file-system --preserve-root",
    is_strict=True,
)
_EXECUTABLE = re.compile(r"[ugoa]*\+x")


def check_mkdir(call: Call) -> None:
    for folder in read("mkdir", call.args, _MKDIR).operands:
        check_write(call, folder)


def check_cp(call: Call) -> None:
    reading = read("cp", call.args, _CP)
    sources, target = _sources_and_target(call, reading)
    check_write(call, target)
    if reading.has("-l", "-s", "--link", "--symbolic-link") and any(_touches_state(call, source) for source in sources):
        raise Refused(Rule.STATE, "a link to .daedal/ would be a way to write into it. Copy the file instead.")
    if reading.has("--parents") and any(".daedal" in (source.text or source.raw).lower() for source in sources):
        raise Refused(Rule.STATE, "cp --parents would recreate .daedal/ elsewhere. Copy without --parents.")
    replaces = reading.has("-T", "--no-target-directory")
    for source in sources:
        _check_landing(call, source, target, replaces=replaces)


def check_mv(call: Call) -> None:
    _need_permission(call)
    reading = read("mv", call.args, _MV)
    sources, target = _sources_and_target(call, reading)
    for source in sources:
        _check_removal(call, source)
        _check_landing(call, source, target, replaces=reading.has("-T", "--no-target-directory"))
    check_write(call, target)
    if Zone.TEMPORARY in call.zones(target):
        raise Refused(
            Rule.OUTSIDE, f"mv may only move inside the project, and {target.raw} is not. Use cp to copy out."
        )


def check_rm(call: Call) -> None:
    _need_permission(call)
    for operand in read("rm", call.args, _RM).operands:
        _check_removal(call, operand)


def check_chmod(call: Call) -> None:
    """Only making files executable: no numbers, no recursion."""
    words = [arg for arg in call.args if arg.text != "--"]
    if not words or words[0].text is None or not _EXECUTABLE.fullmatch(words[0].text) or len(words) < 2:
        raise Refused(Rule.OPTION, "chmod may only add x, as in `chmod +x FILE`, without -R and without a number.")
    for operand in words[1:]:
        if (operand.text or operand.known).startswith("-"):
            raise Refused(Rule.OPTION, "chmod may only add x to files, without further options.")
        check_write(call, operand)
        for path in call.paths(operand):
            if call.ground.places.holds_state(path, is_pattern=operand.is_pattern):
                refuse_write(Zone.STATE, operand.raw, is_sync=call.ground.is_sync)


def _need_permission(call: Call) -> None:
    if call.ground.is_sync:
        raise Refused(Rule.DESTRUCTIVE, f"{call.name} is never available while verifying. Leave the files as they are.")
    if not call.ground.allow_destructive:
        raise Refused(
            Rule.DESTRUCTIVE,
            f"{call.name} is not available without --allow-destructive. Leave the file, or write over it with the "
            "file tools.",
        )


def _sources_and_target(call: Call, reading: Reading) -> tuple[list[Arg], Arg]:
    target = reading.value("-t", "--target-directory")
    if target is not None:
        return reading.operands, target
    if len(reading.operands) < 2:
        raise Refused(Rule.OPTION, f"{call.name} needs a source and a destination.")
    return reading.operands[:-1], reading.operands[-1]


def _touches_state(call: Call, arg: Arg) -> bool:
    if arg.text is None:
        return True
    return any(call.ground.places.holds_state(path, is_pattern=arg.is_pattern) for path in call.paths(arg))


def _check_landing(call: Call, source: Arg, target: Arg, *, replaces: bool) -> None:
    """Into a folder, a thing lands under its own name; `x/.` and `x/..` land with everything that is in them."""
    if source.text is None:
        # A name that only the shell knows may be `.daedal` itself where the folder that it lands in is the project.
        if any(call.ground.places.holds_state(path) for path in call.paths(target)):
            raise unknown_path(source.raw)
        return
    name = basename(source.text.rstrip("/")) or source.text
    for path in call.paths(target):
        lands = path if name in (".", "..") else join(path, name)
        if (replaces or name in (".", "..")) and call.ground.places.holds_state(path):
            refuse_write(Zone.STATE, f"everything in {source.raw}", is_sync=call.ground.is_sync)
        if call.ground.places.in_state(lands, is_pattern=source.is_pattern):
            refuse_write(Zone.STATE, source.raw, is_sync=call.ground.is_sync)
        if name.lower() in (".git", ".claude"):
            refuse_write(Zone.STEERING, source.raw, is_sync=call.ground.is_sync)


def _check_removal(call: Call, operand: Arg) -> None:
    """Strictly inside the project, and neither the state folder nor anything that contains it."""
    text = operand.text
    if text is None:
        raise unknown_path(operand.raw)
    parts = text.split("/")
    if operand.is_pattern and (".." in parts or text.endswith("/") or any(_matches_dots(part) for part in parts)):
        raise Refused(
            Rule.DESTRUCTIVE, f"{operand.raw} may match more than it shows. Name the files, without patterns for dots."
        )
    places = call.ground.places
    for path in call.paths(operand):
        if places.in_state(path, is_pattern=operand.is_pattern):
            refuse_write(Zone.STATE, operand.raw, is_sync=call.ground.is_sync)
        zone = places.zone(path, is_pattern=operand.is_pattern)
        if zone is Zone.STEERING or basename(path).lower() == ".git":
            refuse_write(Zone.STEERING, operand.raw, is_sync=call.ground.is_sync)
        if zone not in (Zone.PROJECT, Zone.NOTE) or places.holds_state(path, is_pattern=operand.is_pattern):
            raise Refused(
                Rule.DESTRUCTIVE, f"{operand.raw} is the project itself or lies outside it. Only its contents may go."
            )


def _matches_dots(part: str) -> bool:
    """Patterns such as `.*` and `.[a-z]*` stand for `..` and for hidden folders."""
    return bool(re.match(r"(\.[^/]*[*?\[]|\[|\?)", part)) and not re.match(r"\.[A-Za-z0-9_-]{2,}", part)


FILE_COMMANDS = {"mkdir": check_mkdir, "cp": check_cp, "chmod": check_chmod, "rm": check_rm, "mv": check_mv}
