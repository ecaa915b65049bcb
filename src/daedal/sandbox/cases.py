"""What would the walls say? Decides one case of `daedal policy check path`; looks at the disk, and changes nothing."""

import os
import stat
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from daedal.protocol.confinement import Confinement
from daedal.sandbox.opening import PATH_BYTES_MAX
from daedal.sandbox.paths import inside, resolve
from daedal.sandbox.variables import expand
from daedal.sandbox.walls import Answer, Walls


class PathCase(Struct, frozen=True, kw_only=True):
    root: str
    op: Literal["read", "write", "move", "list"]
    path: str
    dest: str | None = None
    allow_write: list[str] = field(default_factory=list[str])
    forbid_read: list[str] = field(default_factory=list[str])
    env: dict[str, str] = field(default_factory=dict[str, str])
    home: str | None = None


def path_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """The decision with its reason and rule. Raises ValueError for what is no case."""
    asked = msgspec.convert({key: value for key, value in case.items() if value is not None}, PathCase)
    if asked.op == "move" and asked.dest is None:
        raise ValueError("a move needs `dest`")
    answer = _answer(asked)
    decision = "allow" if answer.is_allowed else "deny"
    return {"decision": decision, "reason": answer.reason, "rule": answer.rule}


def _answer(case: PathCase) -> Answer:
    environment = {**os.environ, **case.env, **({"HOME": case.home} if case.home else {})}
    written = [case.path, *([case.dest] if case.op == "move" and case.dest is not None else [])]
    try:
        root = resolve(expand(case.root, environment) or case.root, "")
        paths = [resolve(_at_home(path, environment), root) for path in written]
        walls = Walls(_confinement(case, root, environment))
    except (ValueError, OSError) as error:
        return _refusal("walls:no-path", f"{' or '.join(written)!r} is not a usable path: {error}.")
    for path in paths:
        if (problem := _unopenable(path)) is not None:
            return problem
    answer = _asked(walls, case.op, paths)
    return _through_link(answer, written, paths, root) if answer.rule == "walls:outside" else answer


def _asked(walls: Walls, op: str, paths: Sequence[str]) -> Answer:
    match op:
        case "read":
            return walls.may_read(paths[0])
        case "list":
            return walls.may_list(paths[0])
        case "write":
            return walls.may_write(paths[0])
        case _:
            return walls.may_move(paths[0], paths[1])


def _confinement(case: PathCase, root: str, environment: Mapping[str, str]) -> Confinement:
    writable = [resolve(place, root) for text in case.allow_write if (place := expand(text, environment))]
    named = [os.path.join(root, place) for text in case.forbid_read if (place := expand(text, environment))]
    closed = [*map(os.path.normpath, named), *map(os.path.realpath, named)]
    return Confinement(workspace=root, writable=[root, *writable], unreadable=closed)


def _at_home(path: str, environment: Mapping[str, str]) -> str:
    """As the tools read it: the tilde is the home, and a dollar sign is a dollar sign."""
    if path == "~" or path.startswith("~/"):
        return environment.get("HOME", "~") + path[1:]
    return path


def _unopenable(path: str) -> Answer | None:
    """What `opening` would not open, wherever it lies."""
    if len(os.fsencode(path)) >= PATH_BYTES_MAX:
        return _refusal("walls:no-path", "the path is too long for the file system. Use a shorter one.")
    place, found = "", os.lstat("/")
    try:
        for name in path.split("/")[1:]:
            place = f"{place}/{name}"
            found = os.lstat(place)
            if stat.S_ISLNK(found.st_mode):
                return _refusal("walls:link", f"{place} is a symbolic link that goes in circles. Name a real file.")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except OSError as error:
        return _refusal("walls:no-path", f"the path cannot be opened: {error.strerror}.")
    if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):
        return None
    return _refusal("walls:kind", f"{path} is a pipe, a socket or a device. File tools open only ordinary files.")


def _through_link(answer: Answer, written: Sequence[str], paths: Sequence[str], root: str) -> Answer:
    """Says so where only a link leads outside."""
    for name, path in zip(written, paths, strict=True):
        if inside(os.path.normpath(os.path.join(root, name)), (root,)) and not inside(path, (root,)):
            return _refusal("walls:link", f"{name} leads through a symbolic link: {answer.reason}")
    return answer


def _refusal(rule: str, reason: str) -> Answer:
    return Answer(is_allowed=False, rule=rule, reason=reason)
