"""Who starts commands inside a jail? This program, as its process 1. It runs by itself, under `python -I -S`.

It is told what to start over a socket that it inherited, and tells how that ended. Nobody inside can end it, look into
it or reach its socket: the kernel keeps signals from a namespace's process 1, it is not dumpable, and the socket is
closed in whatever it starts. When the socket closes it leaves, and the kernel ends everything else in the jail.
It may import only what costs nothing, and is never imported by anyone.
"""

import _socket
import errno
import os
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # `signal` itself would bring `enum` along

MESSAGE_BYTES = 256
DESCRIPTORS_MAX = 64

PR_SET_DUMPABLE = 4
KEYCTL_JOIN_SESSION_KEYRING = 1
KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280}


class Jailer:
    def __init__(self, control: _socket.socket) -> None:
        self._control = control
        self._commands: dict[int, bytes] = {}
        """The id of each command that runs, by its pid."""
        self._is_retired = False

    def work(self) -> None:
        waking, self._woken = os.pipe()
        self._highest = max(waking, self._woken, self._control.fileno())
        for end in (waking, self._woken):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, wake)
        poll = select.poll()
        poll.register(self._control.fileno(), select.POLLIN)
        poll.register(waking, select.POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in poll.poll()]
            if waking in ready:
                os.read(waking, 4096)
                if not self._bury() and self._is_retired:
                    return
            if self._control.fileno() in ready and not self._listen():
                return

    def _listen(self) -> bool:
        """Does what the next message says; False when there will be none, or nothing more to do."""
        message, descriptors = receive(self._control)
        verb, _, name = message.partition(b" ")
        if verb == b"start":
            self._start(name, descriptors)
        elif verb == b"retire":
            self._is_retired = True
            return self._bury()
        for descriptor in descriptors:
            os.close(descriptor)
        return message != b""

    def _bury(self) -> bool:
        """Waits for whoever has died, also for orphans that were never told to us. False when nobody is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            name = self._commands.pop(pid, None)
            if name is not None:
                self._tell(b"ended %s %d" % (name, status))

    def _start(self, name: bytes, descriptors: list[int]) -> None:
        try:
            pid = spawn(Order(contents(descriptors[0])), descriptors[1:], self._highest)
        except NoFolder as error:
            self._tell(b"failed %s folder %d" % (name, error.number))
        except OSError as error:
            self._tell(b"failed %s program %d" % (name, error.errno or 0))
        else:
            self._commands[pid] = name
            watch = os.pidfd_open(pid)
            self._tell(b"started %s %d" % (name, pid), [watch])
            os.close(watch)

    def _tell(self, message: bytes, descriptors: list[int] | None = None) -> None:
        send(self._control, message, descriptors or [])


def wake(_number: int, _frame: object) -> None:
    """Nothing to do: that the signal came is written to the pipe that we wait for."""


class NoFolder(Exception):
    def __init__(self, number: int) -> None:
        self.number = number


class Order:
    """A command as `keeper` wrote it down: its folder, the numbers of further descriptors, arguments, environment."""

    def __init__(self, text: bytes) -> None:
        self.folder, numbers, count, *words = text.split(b"\0")
        pairs = (entry.partition(b"=") for entry in words[int(count) :])
        self.targets = [0, 1, 2, *(int(number) for number in numbers.split())]
        self.argv = words[: int(count)]
        self.environment = {name: value for name, _, value in pairs}

    def programs(self) -> list[bytes]:
        """Where the program may be. Looking first is cheaper than a process that finds nothing."""
        name = self.argv[0]
        folders = self.environment.get(b"PATH", b"/usr/bin:/bin").split(b":")
        places = [name] if b"/" in name else [folder + b"/" + name for folder in folders if folder]
        return [place for place in places if os.path.lexists(place)]


def spawn(order: Order, sources: list[int], highest: int) -> int:
    """Starts it in a session of its own. Without a fork: copying even a small process costs more than starting one.

    What it is given is first put above all numbers in use, so that none is overwritten on its way to where it belongs.
    """
    try:
        os.chdir(order.folder)
    except OSError as error:
        raise NoFolder(error.errno or 0) from None
    above = max(highest, *sources, *order.targets) + 1
    moved = [os.dup2(source, above + place, inheritable=False) for place, source in enumerate(sources)]
    actions = [(os.POSIX_SPAWN_DUP2, source, target) for source, target in zip(moved, order.targets, strict=True)]
    failure: OSError = FileNotFoundError(errno.ENOENT, "")
    try:
        for program in order.programs():
            try:
                return os.posix_spawn(program, order.argv, order.environment, file_actions=actions, setsid=True)
            except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
                failure = error
    finally:
        os.chdir("/")
        for descriptor in moved:
            os.close(descriptor)
    raise failure


def contents(descriptor: int) -> bytes:
    size = os.fstat(descriptor).st_size
    text = b""
    while len(text) < size and (chunk := os.pread(descriptor, size - len(text), len(text))):
        text += chunk
    return text


def receive(control: _socket.socket) -> tuple[bytes, list[int]]:
    space = _socket.CMSG_SPACE(4 * DESCRIPTORS_MAX)
    message, extras, _, _ = control.recvmsg(MESSAGE_BYTES, space, _socket.MSG_CMSG_CLOEXEC)
    packed = b"".join(data for level, kind, data in extras if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS))
    return message, [int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, len(packed), 4)]


def send(control: _socket.socket, message: bytes, descriptors: list[int]) -> None:
    packed = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
    extras = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)] if descriptors else []
    control.sendmsg([message], extras, _socket.MSG_NOSIGNAL)


def withdraw() -> None:
    """Keeps others out of this process, and the keys of the person's login session out of everybody's reach here."""
    import ctypes

    library = ctypes.CDLL(None)
    library.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    number = KEYCTL.get(os.uname().machine)
    if number is not None:
        library.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


def door() -> _socket.socket:
    """A listener in the jail's own network, on which somebody outside accepts: the only way out."""
    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


def main() -> None:
    number, has_door = int(sys.argv[1]), sys.argv[2] == "door"
    os.set_inheritable(number, False)  # noqa: FBT003
    control = _socket.socket(fileno=number)
    for default in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(default, signal.SIG_DFL)
    withdraw()
    listener = door() if has_door else None
    given = [os.pidfd_open(os.getpid()), *([listener.fileno()] if listener else [])]
    port = listener.getsockname()[1] if listener else 0
    send(control, b"ready %d" % port, given)
    os.close(given[0])
    if listener:
        listener.close()
    Jailer(control).work()


if __name__ == "__main__":
    main()
