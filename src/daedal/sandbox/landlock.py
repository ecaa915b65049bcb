"""How is a command confined where there is no bubblewrap? By Landlock, as far as it goes. `gaps` says how far.

Run as a program under `python -I -S`, it locks itself in and becomes the command. As a module it says what to run.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from daedal.protocol.confinement import Confinement

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
BENEATH_PATH = 1
PR_SET_NO_NEW_PRIVS = 38

WRITE_FILE, MAKE_AND_REMOVE, REFER, TRUNCATE, IOCTL = 1 << 1, 0b1_1111_1111_0000, 1 << 13, 1 << 14, 1 << 15
ON_FILES = WRITE_FILE | TRUNCATE | IOCTL
TCP = 0b11
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm")  # noqa: S108


def gaps(confinement: "Confinement") -> str:
    """What it leaves open of that confinement; empty where nothing."""
    found = ["network namespaces, so UDP stays reachable"] if confinement.network != "on" else []
    if confinement.read_only:
        found.append("read-only holes in a writable folder")
    if confinement.unreadable:
        found.append("unreadable files")
    return f"Landlock knows no {', no '.join(found)}" if found else ""


def wrapped(argv: list[str], confinement: "Confinement") -> list[str]:
    """The command line that runs `argv` locked in."""
    places = [path for path in confinement.writable if os.path.exists(path)]
    network = "open" if confinement.network == "on" else "closed"
    return [sys.executable, "-I", "-S", __file__, network, str(len(places)), *places, *argv]


def version() -> int:
    """Which Landlock this kernel has; below 1 where it has none."""
    import ctypes

    return ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, ASK_VERSION)


def lock(writable: list[str], *, network: bool) -> None:
    """From here on this process and its children can write only there. Raises OSError."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: object) -> int:
        answer = library.syscall(number, *arguments)
        if answer < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return answer

    known = version()
    files = WRITE_FILE | MAKE_AND_REMOVE
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL)):
        files |= right if known >= since else 0
    tcp = TCP if known >= 4 and not network else 0
    scope = ABSTRACT_SOCKETS_AND_SIGNALS if known >= 6 else 0
    fields = [files, *([tcp] if known >= 4 else []), *([scope] if known >= 6 else [])]
    attributes = b"".join(field.to_bytes(8, sys.byteorder) for field in fields)
    ruleset = call(CREATE_RULESET, attributes, len(attributes), 0)
    for path in (*writable, *DEVICES):
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        rights = files if os.path.isdir(path) else files & ON_FILES
        rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        call(ADD_RULE, ruleset, BENEATH_PATH, rule, 0)
        os.close(place)
    library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def main() -> None:
    import signal

    network, count, *words = sys.argv[1:]
    argv = words[int(count) :]
    try:
        lock(words[: int(count)], network=network == "open")
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and a command must not inherit that
            signal.signal(number, signal.SIG_DFL)
        os.execvp(argv[0], argv)  # noqa: S606
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main()
