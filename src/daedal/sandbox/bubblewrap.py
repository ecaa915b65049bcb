"""How is bubblewrap called, so that what it starts is alone, without rights, and ends when we do?"""

import os
import socket
import subprocess
import sys

from msgspec import Struct

from daedal.protocol.confinement import Confinement, Network
from daedal.sandbox.environment import MARK
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.input import open_input
from daedal.sandbox.programs import find_program

ALONE = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
HELD = ("--die-with-parent", "--as-pid-1", "--new-session", "--cap-drop", "ALL")
NESTING = (("--disable-userns",), ())
"""The second for a bubblewrap or kernel that cannot forbid namespaces inside; rights are not regained by them."""


class Opened(Struct, frozen=True):
    popen: subprocess.Popen[bytes]
    control: socket.socket
    """Our end of the socket that the jailer listens to."""
    said: int

    def last_words(self) -> str:
        """What went wrong, where something did. To be asked once."""
        try:
            os.lseek(self.said, 0, os.SEEK_SET)
            lines = os.read(self.said, 4096).decode("utf-8", "replace").split("\n")
        finally:
            os.close(self.said)
        return next((line.removeprefix("bwrap: ") for line in reversed(lines) if line.strip()), "it ended at once")


def open_bubblewrap(confinement: Confinement, arguments: list[str], closed_files: int) -> Opened:
    """Starts it with a jailer in it. Raises SpawnFailed."""
    program = _program()
    closed = [os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) for _ in range(closed_files)]
    numbers = map(str, closed)
    network = [] if confinement.network is Network.ON else ["--unshare-net"]
    words = [*ALONE, *network, *HELD, *(next(numbers) if word == "{closed}" else word for word in arguments)]
    listed = open_input(b"".join(os.fsencode(word) + b"\0" for word in words))
    said = os.memfd_create("daedal-jail")
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        popen = subprocess.Popen(
            [program, "--args", str(listed), "--", *_jailer(confinement, theirs.fileno())],
            cwd="/",
            env={MARK: ""},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
            pass_fds=(listed, theirs.fileno(), *closed),
        )
    except OSError as error:
        control.close()
        os.close(said)
        raise SpawnFailed(f"bubblewrap cannot be started: {error.strerror}") from error
    finally:
        theirs.close()
        for descriptor in (listed, *closed):
            os.close(descriptor)
    return Opened(popen, control, said)


def _jailer(confinement: Confinement, control: int) -> list[str]:
    door = "door" if confinement.network is Network.LISTED else "none"
    return [sys.executable, "-I", "-S", os.path.join(os.path.dirname(__file__), "jailer.py"), str(control), door]


def _program() -> str:
    """Raises SpawnFailed."""
    for candidate in ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"):
        if os.access(candidate, os.X_OK):
            return candidate
    found = find_program("bwrap")
    if found is None:
        raise SpawnFailed("bubblewrap (bwrap) is not installed")
    return found
