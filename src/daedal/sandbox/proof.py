"""Do the walls really hold? Tries, from inside, what must not succeed, and looks from outside whether it did.

Nothing that the command inside says is believed where it can be seen from here: files, connections and datagrams.
"""

import asyncio
import os
import socket
import sys
from enum import StrEnum, auto

from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.confinement import Confinement, Network
from daedal.protocol.seams import Job
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.paths import inside
from daedal.sandbox.spawner import ProcessSpawner

TRIAL_S = 10.0

ATTEMPTS = """
import _socket as s, os, sys
home, outside, secret, tcp, udp, unix = sys.argv[1:]
def attempt(deed):
    try:
        deed()
    except OSError:
        pass
def write(path):
    with open(path, "w"):
        pass
def read():
    with open(secret) as file:
        print(file.read())
def connect(family, address):
    end = s.socket(family, s.SOCK_STREAM)
    end.settimeout(1)
    end.connect(address)
for path in filter(None, (home, outside)):
    attempt(lambda: write(path))
attempt(read)
attempt(lambda: connect(s.AF_INET, ("127.0.0.1", int(tcp))))
attempt(lambda: s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(udp))))
attempt(lambda: connect(s.AF_UNIX, unix))
attempt(lambda: print(os.readlink("/proc/self/ns/pid")))
"""


class Wall(StrEnum):
    WRITING = auto()
    READING = auto()
    TCP = auto()
    UDP = auto()
    SOCKETS = auto()
    PROCESSES = auto()


class State(StrEnum):
    PROVEN = auto()
    """It was tried, and did not succeed."""
    OPEN = auto()
    """It was tried, and succeeded: this is not confined."""
    ALLOWED = auto()
    """The settings allow it."""


class Proof(Struct, frozen=True):
    wall: Wall
    state: State


def prove(confinement: Confinement, *, home: str | None = None) -> list[Proof]:
    """Raises SpawnFailed where there are no walls at all. Takes a fraction of a second.

    `home` is a folder outside of what may be written, to try to write into; by default the user's.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="daedal-proof-") as folder:
        return asyncio.run(_Trial(os.path.realpath(folder), home or os.path.expanduser("~")).hold(confinement))


class _Trial:
    def __init__(self, folder: str, home: str) -> None:
        self._token = os.urandom(8).hex()
        self._hole = os.path.join(folder, "closed")
        self._secret = os.path.join(folder, "secret")
        self._socket = os.path.join(folder, "socket")
        self._at_home = os.path.join(os.path.realpath(home), f".daedal-proof-{self._token}")
        self._written = os.path.join(self._hole, "file")

    async def hold(self, confinement: Confinement) -> list[Proof]:
        os.mkdir(self._hole)
        with open(self._secret, "w", encoding="ascii") as file:
            file.write(self._token)
        is_outside = not inside(self._at_home, confinement.writable) and os.access(
            os.path.dirname(self._at_home), os.W_OK
        )
        trial = replace(
            confinement,
            writable=[*confinement.writable, os.path.dirname(self._hole)],
            read_only=[*confinement.read_only, self._hole],
            unreadable=[*confinement.unreadable, self._secret],
        )
        listeners = [_listener(socket.AF_INET, ("127.0.0.1", 0)), _listener(socket.AF_UNIX, self._socket)]
        with listeners[0] as tcp, listeners[1] as unix, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.bind(("127.0.0.1", 0))
            udp.settimeout(0.0)
            said = await self._try(trial, self._at_home if is_outside else "", tcp, udp)
            return self._judge(confinement, said, tcp, udp, unix)

    async def _try(self, confinement: Confinement, at_home: str, tcp: socket.socket, udp: socket.socket) -> str:
        spawner = ProcessSpawner([])
        walls = spawner.within(confinement)
        ports = [str(end.getsockname()[1]) for end in (tcp, udp)]
        words = [at_home, self._written, self._secret, *ports, self._socket]
        argv = [sys.executable, "-I", "-S", "-c", ATTEMPTS, *words]
        try:
            finish = await walls.run(Job(argv=argv, cwd="/", env=walls.environment(), timeout_s=TRIAL_S))
        finally:
            await spawner.close()
        if finish.exit_code != 0:
            raise SpawnFailed(f"the trial itself failed: {finish.stderr.decode('utf-8', 'replace').strip()}")
        return finish.stdout.decode("utf-8", "replace")

    def _judge(
        self, confinement: Confinement, said: str, tcp: socket.socket, udp: socket.socket, unix: socket.socket
    ) -> list[Proof]:
        wrote = [path for path in (self._at_home, self._written) if os.path.exists(path)]
        for path in wrote:
            os.unlink(path)
        is_on = confinement.network is Network.ON
        return [
            _proof(Wall.WRITING, succeeded=bool(wrote)),
            _proof(Wall.READING, succeeded=self._token in said),
            _proof(Wall.TCP, succeeded=_was_reached(tcp), is_allowed=is_on),
            _proof(Wall.UDP, succeeded=_has_mail(udp), is_allowed=is_on),
            _proof(Wall.SOCKETS, succeeded=_was_reached(unix)),
            _proof(Wall.PROCESSES, succeeded=_pid_namespace() in said),
        ]


def _proof(wall: Wall, *, succeeded: bool, is_allowed: bool = False) -> Proof:
    return Proof(wall, State.ALLOWED if is_allowed else State.OPEN if succeeded else State.PROVEN)


def _listener(family: socket.AddressFamily, address: object) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.bind(address)  # pyright: ignore[reportArgumentType]
    listener.listen(4)
    listener.settimeout(0.0)
    return listener


def _was_reached(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _has_mail(udp: socket.socket) -> bool:
    try:
        udp.recv(16)
    except BlockingIOError:
        return False
    return True


def _pid_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return "\0"  # macOS has none, and so nothing that could be seen here
