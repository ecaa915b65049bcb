"""How is a command confined on macOS? By sandbox-exec, with a profile written from the confinement.

Untested on a real macOS: the profile's text is tested, its effect is not.
"""

import os
from collections.abc import Iterable

from daedal.protocol.confinement import Confinement, Network
from daedal.sandbox.paths import inside
from daedal.sandbox.what_steers import steering

PROGRAM = "/usr/bin/sandbox-exec"
DEVICES = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper")


def is_there() -> bool:
    return os.access(PROGRAM, os.X_OK)


def gaps(confinement: Confinement) -> str:
    """What it leaves open of that confinement; empty where nothing."""
    if confinement.network is Network.LISTED:
        return "sandbox-exec knows no domains, so the network is off instead"
    return ""


def wrapped(argv: list[str], confinement: Confinement) -> list[str]:
    """The command line that runs `argv` confined."""
    return [PROGRAM, "-p", profile(confinement), *argv]


def profile(confinement: Confinement) -> str:
    """The last rule that matches decides."""
    lines = ["(version 1)", "(allow default)", "(deny file-write*)"]
    lines.append(_rule("allow file-write*", [*map(_subpath, confinement.writable), *map(_literal, DEVICES)]))
    lines += [_rule(what, [_subpath(path)]) for path, what in _layers(confinement)]
    if confinement.unreadable:
        lines.append(_rule("deny file-read* file-write*", map(_subpath, confinement.unreadable)))
    if confinement.network is not Network.ON:
        lines += ["(deny network*)", '(allow network* (local ip "localhost:*"))']
    # Other programs could be asked to do what this one may not.
    lines += ["(deny appleevent-send)", "(deny signal (target others))", "(allow signal (target same-sandbox))"]
    return "\n".join(lines) + "\n"


def _layers(confinement: Confinement) -> list[tuple[str, str]]:
    """The holes, and what may be written inside of them, outer ones first. What steers need not exist to be denied."""
    steers = [path for path in steering(confinement) if "/.git/" not in path or os.path.exists(path)]
    holes = dict.fromkeys([*confinement.read_only, *steers])
    opened = [path for path in confinement.writable if inside(path, confinement.read_only) and path not in holes]
    layers = [*((path, "allow file-write*") for path in opened), *((path, "deny file-write*") for path in holes)]
    return sorted(layers, key=lambda layer: len(layer[0]))


def _rule(what: str, filters: Iterable[str]) -> str:
    return f"({what} {' '.join(filters)})"


def _subpath(path: str) -> str:
    return f"(subpath {_quoted(path)})"


def _literal(path: str) -> str:
    return f"(literal {_quoted(path)})"


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
