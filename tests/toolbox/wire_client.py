"""How does a test talk to `daedal app-server`? Line by line, as a client of any origin would."""

import json
import queue
import socket
import subprocess
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from tests.toolbox.program import Daedal

DEADLINE_S = 20
HELLO = {"clientInfo": {"name": "test", "version": "1"}}


class WireClient:
    """One client. What arrives is kept in order; waiting for something keeps what came before it in `seen`."""

    def __init__(self, reading: BinaryIO, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._arrived: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._last_id = 0
        self.seen: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, args=(reading,), daemon=True)
        self._reader.start()

    def _read(self, reading: BinaryIO) -> None:
        try:
            for line in reading:
                self._arrived.put(json.loads(line))
        except (OSError, ValueError):
            pass
        self._arrived.put(None)

    def send(self, **message: Any) -> None:
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def send_bytes(self, data: bytes) -> None:
        self._write(data)

    def next(self) -> dict[str, Any] | None:
        """Whatever comes next; None when the server has closed."""
        try:
            message = self._arrived.get(timeout=DEADLINE_S)
        except queue.Empty:
            raise AssertionError(f"nothing came; last seen: {self.seen[-3:]}") from None
        if message is not None:
            self.seen.append(message)
        return message

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while (message := self.next()) is not None:
            if wanted(message):
                return message
        raise AssertionError(f"the server closed; seen: {self.seen[-5:]}")

    def event(self, method: str) -> dict[str, Any]:
        """The params of the next notification of that name."""
        return self.wait(lambda message: message.get("method") == method and "id" not in message)["params"]

    def asked(self, method: str | None = None) -> dict[str, Any]:
        """The next request of the server."""
        return self.wait(
            lambda message: "id" in message and message.get("method", "") and method in (None, message["method"])
        )

    def ask(self, method: str, params: Any = None) -> int:
        self._last_id += 1
        self.send(id=self._last_id, method=method, params=params if params is not None else {})
        return self._last_id

    def answer(self, number: int) -> dict[str, Any]:
        """The whole answer to a request."""
        return self.wait(lambda message: message.get("id") == number and "method" not in message)

    def call(self, method: str, params: Any = None) -> Any:
        answer = self.answer(self.ask(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def fails(self, method: str, params: Any = None) -> dict[str, Any]:
        return self.answer(self.ask(method, params))["error"]

    def hello(self, **capabilities: Any) -> "WireClient":
        self.call("initialize", {**HELLO, "capabilities": capabilities} if capabilities else HELLO)
        self.send(method="initialized")
        return self

    def thread(self, **options: Any) -> str:
        return self.call("thread/start", options)["thread"]["id"]

    def turn(self, thread_id: str, text: str = "Go.", **options: Any) -> dict[str, Any]:
        """A whole turn: its last event's params."""
        self.call("turn/start", {"threadId": thread_id, "input": [{"type": "text", "text": text}], **options})
        return self.event("turn/completed")

    def methods(self) -> list[str]:
        return [message["method"] for message in self.seen if "method" in message and "id" not in message]


class Child(WireClient):
    """A server of its own, over its standard input and output."""

    def __init__(self, daedal: Daedal, *words: str) -> None:
        self.process = subprocess.Popen(
            [*daedal.program, "app-server", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=daedal.workspace,
            env=daedal.environment(),
        )
        assert self.process.stdout is not None
        super().__init__(self.process.stdout, self._put)

    def _put(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def leave(self) -> int:
        """Says no more, and waits for the end."""
        assert self.process.stdin is not None
        assert self.process.stderr is not None
        self.process.stdin.close()
        code = self.process.wait(timeout=DEADLINE_S)
        self._reader.join(timeout=DEADLINE_S)
        self.errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        if self.process.stdin is not None and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except OSError:
                pass
        self.process.wait(timeout=DEADLINE_S)
        self._reader.join(timeout=DEADLINE_S)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None and not stream.closed:
                stream.close()


class Server:
    """A server that listens at a socket, with as many clients as a test wants."""

    def __init__(self, daedal: Daedal, address: str, *words: str) -> None:
        self.process = subprocess.Popen(
            [*daedal.program, "app-server", "--listen", address, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=daedal.workspace,
            env=daedal.environment(),
        )
        assert self.process.stderr is not None
        self.told = ""
        while "listening at " not in self.told:
            line = self.process.stderr.readline().decode()
            assert line, f"the server ended: {self.told}"
            self.told += line
        self.address = self.told.rpartition("listening at ")[2].strip()
        self._sockets: list[socket.socket] = []

    def client(self, **capabilities: Any) -> WireClient:
        """A client over the unix socket, which has said hello."""
        return self.connect().hello(**capabilities)

    def connect(self) -> WireClient:
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        peer.connect(self.address.removeprefix("unix://"))
        self._sockets.append(peer)
        client = WireClient(peer.makefile("rb"), peer.sendall)
        client.hang_up = lambda: peer.shutdown(socket.SHUT_RDWR)  # type: ignore[attr-defined]
        return client

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        for peer in self._sockets:
            peer.close()
        self.process.terminate()
        self.process.wait(timeout=DEADLINE_S)
        assert self.process.stderr is not None
        self.process.stderr.close()
