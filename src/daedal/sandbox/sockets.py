"""Through which sockets of the machine could a command speak to somebody outside its jail?

A read-only mount does not keep anyone from connecting to a socket in it, so each is covered. Those of the jail itself
are not listed here, because it has a network namespace of its own and the kernel lists sockets by that.
"""

import os
import stat

HIDDEN = (b"/run/", b"/var/run/", b"/dev/", b"/proc/")
"""Every jail has its own of these."""

LISTED = "/proc/net/unix"
PATH_COLUMN = 7


def host_sockets() -> frozenset[tuple[str, str]]:
    """Path and number of every socket that is bound to a file; a socket made anew has another number."""
    try:
        with open(LISTED, "rb", buffering=0) as file:
            lines = file.read().split(b"\n")[1:]
    except OSError:
        return frozenset()
    bound = [parts for line in lines if len(parts := line.split(None, PATH_COLUMN)) > PATH_COLUMN]
    return frozenset(
        (os.fsdecode(path), number.decode()) for *_, number, path in bound if not path.startswith((b"@", *HIDDEN))
    )


def socket_files(bound: frozenset[tuple[str, str]]) -> list[str]:
    """Where they are. One bound by a relative name is looked for in the folder of every process."""
    names = {path for path, _ in bound}
    relative = [name for name in names if not name.startswith("/")]
    places = [os.path.join(folder, name) for folder in (_folders() if relative else ()) for name in relative]
    real = {os.path.realpath(path) for path in (*places, *(names - set(relative))) if is_socket(path)}
    return sorted(path for path in real if not os.fsencode(path).startswith(HIDDEN))


def _folders() -> set[str]:
    """The working folders of all processes that can be seen."""
    found: set[str] = set()
    for pid in os.listdir("/proc"):
        if pid.isdecimal():
            try:
                found.add(os.readlink(f"/proc/{pid}/cwd"))
            except OSError:
                continue
    return found


def is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False
