"""What does the file system look like from inside a jail? A confinement becomes bubblewrap's arguments.

Everything can be read, nothing written; then what may be written is mounted over it, then the holes in that, then what
may not be read. A mount holds the name it stands on, so nobody inside can move a hole away; the folders above a hole
are held the same way.
"""

import os

from msgspec import Struct

from daedal.protocol.confinement import Confinement, Network
from daedal.sandbox.paths import inside, is_empty, nearest
from daedal.sandbox.sockets import host_sockets, is_socket, socket_files
from daedal.sandbox.what_steers import FOLDERS, steering

KERNEL = ("/proc", "/sys", "/dev")
"""Never mounted from the machine to be written, whatever the settings say."""

KERNEL_OPEN = "/dev/shm"  # noqa: S108 - it is the one place in there that is made for everybody's files
CLOSED = "0000"


class View(Struct, frozen=True):
    """How a jail is mounted, and from what that was concluded."""

    arguments: list[str]
    closed_files: int
    """How many `{closed}` in the arguments stand for descriptors of an empty file."""
    seen: "Seen"


class Seen(Struct, frozen=True):
    """What a view depends on besides the confinement: which holes exist, as what, and which sockets there are."""

    entries: list[tuple[str, object]]
    sockets: frozenset[tuple[str, str]]

    def covered(self) -> frozenset[str]:
        """What was there, so that it is held: nobody inside can have changed it."""
        return frozenset(path for path, identity in self.entries if identity is not None)


def is_current(confinement: Confinement, seen: Seen) -> bool:
    """Whether the view would be the same now. A socket that went away needs no cover, and so no other view."""
    now = _look(confinement)
    # In the machine's own network a command's sockets cannot be told from the machine's.
    return now.entries == seen.entries and (confinement.network is Network.ON or now.sockets <= seen.sockets)


def _look(confinement: Confinement) -> Seen:
    watched = [*_holes(confinement), *confinement.unreadable]
    folders = [(folder, _changed(folder)) for folder in _shadowed(confinement)]
    return Seen([*((path, _identity(path)) for path in watched), *folders], host_sockets())


def to_hold(confinement: Confinement) -> list[str]:
    """Folders that are to be there before the view is made, if only empty: so that nobody inside can make them.

    A file cannot be stood in for: programs would read it. Nor can `.git`, which a command may well make.
    """
    workspace = confinement.workspace
    # Git would run a hook that appears later, and nobody would ask about it.
    wanted = [*confinement.read_only, os.path.join(workspace, ".git", "hooks")]
    if not is_empty(workspace):  # into an empty folder one may want to clone, and only into an empty one
        wanted += [os.path.join(workspace, name) for name in FOLDERS]
    return [path for path in wanted if _can_be_held(path, confinement)]


def view(confinement: Confinement) -> View:
    seen = _look(confinement)
    arguments = [*_ground(confinement), *_writable(confinement), *_holds(confinement)]
    for path, kind in _layers(confinement):
        arguments += [kind, path, path]
    shadowed = _shadowed(confinement)
    for folder in shadowed:
        arguments += _shadow(folder, confinement.unreadable)
    masked: list[str] = []
    for path in _real_ones(confinement.unreadable):
        if not inside(path, masked):
            masked.append(path)
            arguments += _mask(path)
    for path in socket_files(seen.sockets):
        if not inside(path, (*shadowed, *masked)):
            arguments += ["--ro-bind", os.devnull, path]
    for folder in shadowed:
        arguments += ["--remount-ro", folder]
    return View(arguments, arguments.count("{closed}"), seen)


def _ground(confinement: Confinement) -> list[str]:
    """The machine, read-only; its devices, processes and run-time sockets replaced by the jail's own."""
    base = "--bind" if "/" in confinement.writable else "--ro-bind"
    ground = [base, "/", "/", "--ro-bind", "/sys", "/sys", "--dev", "/dev", "--proc", "/proc"]
    # To root, /proc/sys is writable even without a capability, and leads to a program the kernel starts outside.
    ground += ["--ro-bind", "/proc/sys", "/proc/sys", "--tmpfs", "/run"]
    for name in _names("/run"):
        link = os.path.join("/run", name)
        if os.path.islink(link):  # some systems keep their programs behind one
            ground += ["--symlink", os.readlink(link), link]
    if os.path.isdir("/var/run") and not os.path.islink("/var/run"):
        ground += ["--tmpfs", "/var/run"]
    resolver = os.path.realpath("/etc/resolv.conf")
    if confinement.network is Network.ON and inside(resolver, ("/run", "/var/run")) and os.path.isfile(resolver):
        ground += ["--ro-bind", resolver, resolver]
    return ground


def _writable(confinement: Confinement) -> list[str]:
    arguments: list[str] = []
    for path in _roots(confinement):
        arguments += ["--bind", path, path]
    return arguments


def _roots(confinement: Confinement) -> list[str]:
    """The outermost writable places. Nothing inside can reach above them, so nobody can put a link in their way."""
    found: list[str] = []
    for path in sorted(confinement.writable, key=len):
        is_kernel = inside(path, KERNEL) and not inside(path, (KERNEL_OPEN,))
        is_itself = os.path.exists(path) and os.path.realpath(path) == path
        if path != "/" and not is_kernel and is_itself and not inside(path, found):
            found.append(path)
    return found


def _layers(confinement: Confinement) -> list[tuple[str, str]]:
    """The holes, and what may be written inside of them, outer ones first: the nearer word counts, a hole's before."""
    holes = _real_ones(_holes(confinement))
    opened = _real_ones([path for path in confinement.writable if inside(path, confinement.read_only)])
    layers = [*((path, "--bind") for path in opened if path not in holes), *((path, "--ro-bind") for path in holes)]
    return sorted(layers, key=lambda layer: len(layer[0]))


def _holes(confinement: Confinement) -> list[str]:
    return list(dict.fromkeys([*confinement.read_only, *steering(confinement)]))


def _holds(confinement: Confinement) -> list[str]:
    """The folders between a writable place and what is walled off in it, mounted on themselves: so they stay put."""
    roots = ["/"] if "/" in confinement.writable else _roots(confinement)
    held: set[str] = set()
    for path in _real_ones([*_holes(confinement), *confinement.unreadable]):
        root = next((root for root in roots if inside(path, (root,)) and path != root), None)
        above = os.path.dirname(path)
        while root is not None and above != root:
            held.add(above)
            above = os.path.dirname(above)
    arguments: list[str] = []
    for folder in sorted(held, key=len):
        if not inside(folder, KERNEL):
            arguments += ["--bind", folder, folder]
    return arguments


def _mask(path: str) -> list[str]:
    if os.path.isdir(path):
        return ["--perms", CLOSED, "--tmpfs", path, "--remount-ro", path]
    return ["--perms", CLOSED, "--ro-bind-data", "{closed}", path]


def _shadowed(confinement: Confinement) -> list[str]:
    """Folders shown entry by entry, because files in them are closed that may be replaced or made at any moment."""
    return sorted(
        {
            folder
            for path in confinement.unreadable
            if not os.path.isdir(path)
            and os.path.isdir(folder := os.path.dirname(os.path.realpath(path)))
            and not _is_writable(folder, confinement)
            and not any(inside(root, (folder,)) for root in confinement.writable)
            and not inside(folder, confinement.unreadable)
        },
        key=len,
    )


def _shadow(folder: str, closed: list[str]) -> list[str]:
    """What begins with a closed file's name is left out too: a journal or a backup tells the same.

    A closed file itself must not be mounted below its cover: replaced outside, it would take the cover away with it.
    """
    left_out = tuple(os.path.basename(path) for path in closed if os.path.dirname(path) == folder)
    arguments = ["--tmpfs", folder]
    for name in _names(folder):
        path = os.path.join(folder, name)
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif not is_socket(path) and not name.startswith(left_out):
            arguments += ["--ro-bind-try", path, path]
    return arguments


def _can_be_held(path: str, confinement: Confinement) -> bool:
    is_folder_name = not os.path.splitext(os.path.basename(path))[1]
    return is_folder_name and _is_writable(os.path.dirname(path), confinement)


def _is_writable(path: str, confinement: Confinement) -> bool:
    root, hole = (nearest(path, places) for places in (confinement.writable, confinement.read_only))
    return root is not None and (hole is None or len(hole) < len(root))


def _real_ones(paths: list[str]) -> list[str]:
    """Where they really lead, those that exist, outer ones first."""
    real = {os.path.realpath(path) for path in paths}
    return sorted((path for path in real if os.path.exists(path) and path != "/"), key=len)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _changed(folder: str) -> int | None:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return None
