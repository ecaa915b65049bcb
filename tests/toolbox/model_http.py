"""How does the scripted model sit on a socket? HTTP/1.1 with keep-alive, one thread per connection, nothing clever.

Blocking sockets, because they are the fastest way to answer in Python and the easiest to break on purpose.
"""

import contextlib
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable

from msgspec import Struct

LINE_END = b"\r\n"
HEAD_END = b"\r\n\r\n"
REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


class HttpRequest(Struct, frozen=True):
    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    at: float
    """When its head was complete, on the monotonic clock that all processes of a machine share."""


class Gone(Exception):
    """The client has closed the connection, or the server is closing."""


class Connection:
    """One client's socket, from both sides' point of view: requests come out, bytes go in."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self._buffer = bytearray()

    def next_request(self) -> HttpRequest:
        """Waits for it. Raises Gone when the client leaves first."""
        while (end := self._buffer.find(HEAD_END)) < 0:
            self._fill()
            if not self._buffer[:1].isalpha():  # TLS on a plain port, most likely
                self.send(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n")
                raise Gone
        at = time.monotonic()
        lines = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        del self._buffer[: end + len(HEAD_END)]
        method, path, _ = lines[0].split(" ", 2)
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])
        }
        if headers.get("expect", "").lower() == "100-continue":
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return HttpRequest(method, path, headers, self._body(headers), at)

    def _body(self, headers: dict[str, str]) -> bytes:
        if "chunked" not in headers.get("transfer-encoding", ""):
            return self._take(int(headers.get("content-length", "0")))
        pieces: list[bytes] = []
        while size := int(self._line().partition(b";")[0], 16):
            pieces.append(self._take(size))
            self._line()
        while self._line():
            pass
        return b"".join(pieces)

    def _line(self) -> bytes:
        while (end := self._buffer.find(LINE_END)) < 0:
            self._fill()
        return self._take(end + 2)[:-2]

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._fill()
        taken = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return taken

    def _fill(self) -> None:
        try:
            received = self.socket.recv(262144)
        except OSError as error:
            raise Gone from error
        if not received:
            raise Gone
        self._buffer += received

    def send(self, data: bytes) -> None:
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone from error

    def wait_until_gone(self, released: socket.socket) -> bool:
        """Waits for the client to leave (True) or for `released` to become readable (False)."""
        while True:
            ready, _, _ = select.select([self.socket, released], [], [])
            if released in ready:
                return False
            try:
                self._fill()
            except Gone:
                return True

    def reset(self) -> None:
        """Makes the closing a RST, as a crashed peer or an impatient middlebox sends it."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def head(status: int, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Scripted')}", *(f"{k}: {v}" for k, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def whole_response(status: int, body: bytes, headers: dict[str, str]) -> bytes:
    sent = {"content-type": "application/json"} | headers | {"content-length": str(len(body))}
    return head(status, sent) + body


def piece(data: bytes) -> bytes:
    """One piece of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


LAST_PIECE = b"0\r\n\r\n"


class Listener:
    """Accepts on loopback and gives each connection a thread, until closed."""

    def __init__(
        self, serve: Callable[[Connection], None], *, port: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        self._serve = serve
        self._tls = tls
        self._closing = False
        self._lock = threading.Lock()  # guards the two collections below, which connection threads change
        self._sockets: set[socket.socket] = set()
        self._threads: set[threading.Thread] = set()
        self._socket = socket.create_server(("127.0.0.1", port), backlog=512)
        self.port: int = self._socket.getsockname()[1]
        self.accepted = 0
        self._acceptor = threading.Thread(target=self._accept, name="model-listener", daemon=True)
        self._acceptor.start()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._socket.accept()
            except OSError:
                return
            if self._closing:
                sock.close()
                return
            self.accepted += 1
            thread = threading.Thread(target=self._run, args=(sock,), name="model-connection", daemon=True)
            with self._lock:
                self._threads.add(thread)
            thread.start()

    def _run(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if self._tls is not None:
                sock = self._tls.wrap_socket(sock, server_side=True)
            with self._lock:
                self._sockets.add(sock)
            if not self._closing:
                self._serve(Connection(sock))
        except (Gone, OSError, ValueError):
            pass  # the client left, or spoke something that is not HTTP
        finally:
            with self._lock:
                self._sockets.discard(sock)
                self._threads.discard(threading.current_thread())
            sock.close()

    def close(self) -> None:
        self._closing = True
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
        self._acceptor.join(timeout=10)
        self._socket.close()
        with self._lock:
            threads = list(self._threads)
            for sock in self._sockets:
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(timeout=10)
