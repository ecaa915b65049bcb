"""Did the walls make a command fail, and from what did they keep it? Concluded from what it said, and then checked.

A program's words alone prove nothing: a path it names must really be walled off, a name it could not resolve must be
one that the walls hide. What would have failed without walls too is not blamed on them.
"""

import os
import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from daedal.protocol.confinement import Confinement, Network
from daedal.protocol.seams import Finish, Outcome
from daedal.sandbox import ConfinedSpawner, Mechanism, inside, steering

TEXT_BYTES_MAX = 65_536

READ_ONLY = re.compile(r"read-only file system|EROFS", re.IGNORECASE)
WRITING = {
    Mechanism.BUBBLEWRAP: re.compile(r"read-only file system|EROFS|device or resource busy|EBUSY", re.IGNORECASE),
    Mechanism.LANDLOCK: re.compile(r"permission denied|EACCES", re.IGNORECASE),
    Mechanism.SANDBOX_EXEC: re.compile(r"operation not permitted|EPERM", re.IGNORECASE),
}
READING = {
    Mechanism.BUBBLEWRAP: re.compile(r"permission denied|EACCES", re.IGNORECASE),
    Mechanism.SANDBOX_EXEC: re.compile(r"operation not permitted|EPERM", re.IGNORECASE),
}
"""What each mechanism makes the kernel answer. Landlock closes nothing to readers."""

QUOTED = re.compile(r"""'([^'\n]+)'|"([^"\n]+)"|[‘`]([^’'\n]+)[’']""")
WORDS = re.compile(r"""[\s:,;()='"‘’`]+""")

NAMES = re.compile(
    r"(?:Could not resolve host(?:name)?:? |unable to resolve host address [‘'`]|EAI_AGAIN |ENOTFOUND |"
    r"dial tcp: lookup |Failed to resolve '|Could not resolve '|host=')([A-Za-z0-9][A-Za-z0-9.-]*)",
    re.IGNORECASE,
)
NO_NETWORK = re.compile(
    r"Temporary failure in name resolution|Name or service not known|Network is unreachable|ENETUNREACH|EAI_AGAIN|"
    r"Could not resolve (?:host|proxy)|nodename nor servname provided|No address associated with hostname",
    re.IGNORECASE,
)
PRIVILEGES = re.compile(r"sudo: .*(?:no new privileges|effective uid is not 0|nosuid)", re.IGNORECASE)
HIDDEN_SOCKETS = re.compile(r"(?:/var)?/run/[\w./@:+-]*\w")


def blocked_effect(finish: Finish, walls: ConfinedSpawner, cwd: str, refused_hosts: Sequence[str]) -> str | None:
    """In few words what a failed command was kept from; None where the walls are not why it failed."""
    if refused_hosts:
        return f"network: {', '.join(refused_hosts[:3])}"
    text = "\n".join(_lines(finish))
    return _file_effect(finish, walls, cwd) or _network_effect(text, walls.confinement) or _other(text)


def told_of_walls(outcome: Outcome, effect: str | None, walls: ConfinedSpawner) -> Outcome:
    """The outcome with what the model should know, where the walls are why it failed."""
    if effect is None:
        return outcome
    limits = walls.confinement
    network = {
        Network.OFF: "The network is off",
        Network.ON: "The network can be reached",
        Network.LISTED: f"Of the network only {', '.join(limits.domains)} can be reached",
    }[limits.network]
    note = (
        f"[sandbox] The sandbox kept this command from: {effect}. Commands can write only in"
        f" {', '.join(limits.writable)}. {network}. Find a way within these limits, or tell the user what you need."
    )
    return replace(outcome, content=f"{outcome.content.rstrip()}\n{note}", blocked=effect)


def _file_effect(finish: Finish, walls: ConfinedSpawner, cwd: str) -> str | None:
    for line in _lines(finish):
        for path in _paths(line, cwd):
            effect = _effect_on(path, line, walls)
            if effect is not None:
                return effect
    for line in _tail(finish.stderr).splitlines():
        # A path that seems to be ours was said from another folder; one that is not was judged above.
        if READ_ONLY.search(line) and all(inside(path, walls.confinement.writable) for path in _paths(line, cwd)):
            return "writing outside the folders that may be written"
    return None


def _effect_on(path: str, line: str, walls: ConfinedSpawner) -> str | None:
    confinement, mechanism = walls.confinement, walls.mechanism
    if mechanism is None:
        return None
    if mechanism in READING and READING[mechanism].search(line) and inside(path, confinement.unreadable):
        return f"reading {path}"
    if not WRITING[mechanism].search(line):
        return None
    is_hole = inside(path, (*confinement.read_only, *steering(confinement)))
    # Where the file's own mode forbids it, nothing would be gained without walls.
    is_walled = is_hole or not inside(path, confinement.writable)
    return f"writing {path}" if is_walled and _could_be_written(path) else None


def _could_be_written(path: str) -> bool:
    while not os.path.lexists(path) and path != "/":
        path = os.path.dirname(path)
    return os.access(path, os.W_OK)


def _paths(line: str, cwd: str) -> Iterator[str]:
    """What may be a path in it: quoted, between colons, or a word by itself."""
    quoted = ("".join(part for part in found.groups() if part) for found in QUOTED.finditer(line))
    for written in dict.fromkeys((*quoted, *line.split(": "), *WORDS.split(line))):
        is_path = "/" in written or os.path.lexists(os.path.join(cwd, written))
        if written and "\0" not in written and is_path:
            yield os.path.realpath(os.path.join(cwd, os.path.expanduser(written)))


def _network_effect(text: str, confinement: Confinement) -> str | None:
    if confinement.network is Network.ON:
        return None
    named = NAMES.search(text)
    return f"network: {named[1]}" if named is not None else "network" if NO_NETWORK.search(text) else None


def _other(text: str) -> str | None:
    if PRIVILEGES.search(text):
        return "gaining privileges with sudo"
    for found in HIDDEN_SOCKETS.finditer(text):
        if os.path.exists(found[0]) and not os.path.isdir(found[0]):
            return f"socket: {found[0]}"
    return None


def _lines(finish: Finish) -> list[str]:
    return [*_tail(finish.stderr).splitlines(), *_tail(finish.stdout).splitlines()]


def _tail(content: bytes) -> str:
    return content[-TEXT_BYTES_MAX:].decode("utf-8", "replace")
