"""Who plays the model here? As in `bench.model`, but the text comes slowly: so many pieces in so many seconds.

python -m bench.terminal.model '{"steps": 0, "tool": "Read", "input": {}, "deltas": 2000, "seconds": 5}'
"""

import contextlib
import json
import socket
import sys
import threading
import time

from bench.model import STREAM_HEAD, Hearing
from bench.replies import ID, LAST_CHUNK, WIRES, _chunk, _sse, call_reply
from bench.terminal.story import deltas

PATH = b"/messages"


class PacedModel:
    def __init__(self, *, steps: int, tool: str, tool_input: dict[str, object], deltas: int, seconds: float) -> None:
        self._steps = steps
        self._call = call_reply(WIRES[PATH], tool, tool_input)
        self._deltas = deltas
        self._seconds = seconds
        self._seen = 0

    def serve(self, peer: socket.socket) -> None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        hearing = Hearing(peer)
        with peer, contextlib.suppress(OSError):
            while hearing.request() is not None:
                number, self._seen = self._seen, self._seen + 1
                peer.sendall(STREAM_HEAD)
                if number < self._steps:
                    peer.sendall(self._call.replace(ID, b"%06d" % number))
                else:
                    self._tell(peer, number)

    def _tell(self, peer: socket.socket, number: int) -> None:
        opening, *_, closing, ending, last = WIRES[PATH].text(1)
        start_block = WIRES[PATH].text(1)[1]
        peer.sendall(_chunk(opening.replace(ID, b"%06d" % number)) + _chunk(start_block))
        began = time.monotonic()
        for index, text in enumerate(deltas(self._deltas)):
            wait = began + self._seconds * index / self._deltas - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
            peer.sendall(_chunk(_sse(delta)))
        peer.sendall(_chunk(closing) + _chunk(ending) + _chunk(last) + LAST_CHUNK)


def main() -> None:
    script = json.loads(sys.argv[1])
    script["tool_input"] = script.pop("input")
    model = PacedModel(**script)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def accept() -> None:
        while True:
            peer, _ = listener.accept()
            threading.Thread(target=model.serve, args=(peer,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
