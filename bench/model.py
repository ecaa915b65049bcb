"""Who plays the model in a benchmark? A process of its own that answers from ready-made bytes and notes the time.

    python -m bench.model '{"steps": 200, "tool": "Read", "input": {"file_path": "/x"}, "deltas": 1}'

It prints its port, then answers `steps` requests with one tool call each and every further one with text of `deltas`
pieces. The path decides the wire. When its standard input ends, it prints what it saw as JSON and leaves.

Unlike the tests' scripted server it never looks into a request's body, which is only counted and dropped: a long
history costs the measuring side nothing that would be charged to a contestant.
"""

import contextlib
import json
import socket
import sys
import threading
from time import monotonic_ns
from typing import Any

from bench.replies import ID, WIRES, call_reply, text_reply

STREAM_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
EMPTY_PAGE = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
HEAD_END = b"\r\n\r\n"


class Hearing:
    """One connection, read without keeping what is read."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._scratch = memoryview(bytearray(1 << 20))
        self._rest = b""

    def request(self) -> tuple[bytes, int, int] | None:
        """The head, the time of its first byte, and the size of the body; None when the other side has left."""
        if not self._rest:
            self._rest = self._more()
        first_ns = monotonic_ns()
        while HEAD_END not in self._rest:
            more = self._more()
            if not more:
                return None
            self._rest += more
        head, _, self._rest = self._rest.partition(HEAD_END)
        return head, first_ns, self._drop_body(head.lower())

    def _more(self) -> bytes:
        return bytes(self._scratch[: self._peer.recv_into(self._scratch)])

    def _drop_body(self, head: bytes) -> int:
        if b"\r\ntransfer-encoding: chunked" in head:
            return self._drop_chunks()
        _, found, after = head.partition(b"\r\ncontent-length:")
        size = int(after.split(b"\r\n", 1)[0]) if found else 0
        self._drop(size)
        return size

    def _drop(self, size: int) -> None:
        kept = min(size, len(self._rest))
        self._rest = self._rest[kept:]
        missing = size - kept
        while missing:
            got = self._peer.recv_into(self._scratch, min(missing, len(self._scratch)))
            if not got:
                raise ConnectionError("the request broke off")
            missing -= got

    def _drop_chunks(self) -> int:
        total = 0
        while True:
            while b"\r\n" not in self._rest:
                self._rest += self._more()
            line, _, self._rest = self._rest.partition(b"\r\n")
            size = int(line.split(b";", 1)[0], 16)
            self._drop(size + 2)
            if not size:
                return total
            total += size


class Model:
    """What is said when, and what was seen."""

    def __init__(self, *, steps: int, tool: str, tool_input: dict[str, Any], deltas: int) -> None:
        self._steps = steps
        self._calls = {path: call_reply(wire, tool, tool_input) for path, wire in WIRES.items()}
        self._texts = {path: text_reply(wire, deltas) for path, wire in WIRES.items()}
        self._turn = threading.Lock()  # two connections must not get the same number
        self.seen: list[dict[str, int]] = []
        self.others: list[str] = []

    def serve(self, peer: socket.socket) -> None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        hearing = Hearing(peer)
        # A contestant that hangs up in the middle shows in its own ending; here the connection is just over.
        with peer, contextlib.suppress(OSError):
            while (request := hearing.request()) is not None:
                self._answer(peer, *request)

    def _answer(self, peer: socket.socket, head: bytes, first_ns: int, body_bytes: int) -> None:
        last_ns = monotonic_ns()
        line = head.split(b"\r\n", 1)[0]
        method, target, _ = line.split(b" ", 2)
        path = next((end for end in WIRES if target.split(b"?", 1)[0].endswith(end)), None)
        if method != b"POST" or path is None:
            self.others.append(line.decode("latin-1"))
            peer.sendall(EMPTY_PAGE)
            return
        with self._turn:
            number = len(self.seen)
            note = {"first_ns": first_ns, "last_ns": last_ns, "body_bytes": body_bytes, "answered_ns": 0}
            self.seen.append(note)
        # The time is taken before the last piece leaves: what comes after it is the contestant's own.
        if number < self._steps:
            reply = STREAM_HEAD + self._calls[path].replace(ID, b"%06d" % number)
            note["answered_ns"] = monotonic_ns()
            peer.sendall(reply)
            return
        peer.sendall(STREAM_HEAD)
        *pieces, ending = (piece.replace(ID, b"%06d" % number) for piece in self._texts[path])
        for piece in pieces:
            peer.sendall(piece)
        note["answered_ns"] = monotonic_ns()
        peer.sendall(ending)


def _accept(listener: socket.socket, model: Model) -> None:
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=model.serve, args=(peer,), daemon=True).start()


def main() -> None:
    script = json.loads(sys.argv[1])
    model = Model(steps=script["steps"], tool=script["tool"], tool_input=script["input"], deltas=script["deltas"])
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=_accept, args=(listener, model), daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    sys.stdin.read()
    print(json.dumps({"seen": model.seen, "others": model.others}))


if __name__ == "__main__":
    main()
