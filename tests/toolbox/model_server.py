"""Who plays the model in tests? A real HTTP server on loopback that answers by a script, on all three wires.

The path decides the wire, with any prefix: `/v1/messages` (Anthropic), `/chat/completions` and `/responses` (OpenAI).

    from tests.toolbox.model_server import ModelServer, call, fail, say

    with ModelServer([fail(500), call("Bash", command="ls"), say("Done.")]) as model:
        env = model.env()      # ANTHROPIC_*, OPENAI_*, LM_STUDIO_* pointing here, with harmless keys
        ...                    # run Daedal
        assert [request.wire for request in model.requests] == ["anthropic"] * 3
        assert model.requests[2].json["messages"][-1]["role"] == "user"

- Replies are taken in the order of requests. `after` says what follows the last one: `fail` (a 400 that says so),
  `repeat` (the last one for ever) or `cycle` (from the start again).
- `pick="depth"` chooses by how many replies the request's conversation already holds, so that a resumed or
  concurrent run gets the same answers as an undisturbed one. Scripted failures would then repeat for ever.
- A function `(Recorded) -> Reply` may stand in place of the list.
- Tool call ids are `toolu_<request number, or depth>_<position>`, so they are unique and repeatable.
- Nothing needs a sleep: `wait_for_requests`, `wait_for_stall`, `wait_for_hang_ups`; in asyncio use `to_thread`.

As a process of its own (bodies are not kept unless `--keep-bodies`):

    python -m tests.toolbox.model_server --scenario replies.json --port-file port --after cycle

where replies.json was written with `scenario_json([...])`, and the port file holds the port once the server listens;
`--announce` prints the URL as well, so that whoever started it can read a line instead of looking for the file.
`GET /__requests` lists what came in (number, path, monotonic time, size), `POST /__reset` forgets it and
starts the script again. It ends on SIGTERM, SIGINT or `POST /__quit`.
"""

import argparse
import json
import os
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Sequence
from types import TracebackType

import msgspec

from tests.toolbox import model_wires
from tests.toolbox.model_http import LAST_PIECE, Connection, Gone, HttpRequest, Listener, head, piece, whole_response
from tests.toolbox.model_replies import (
    Call,
    HiddenThinking,
    Reply,
    Thinking,
    Tokens,
    Words,
    call,
    calls,
    cut_off,
    drop,
    empty,
    fail,
    hidden_thinking,
    huge,
    malformed,
    overloaded,
    page,
    refuse,
    say,
    scenario_from_json,
    scenario_json,
    stall,
    think,
)
from tests.toolbox.model_script import After, Pick, Recorded, Script

__all__ = [
    "Call",
    "HiddenThinking",
    "ModelServer",
    "Recorded",
    "Reply",
    "Thinking",
    "Tokens",
    "Words",
    "call",
    "calls",
    "closed_port",
    "cut_off",
    "drop",
    "empty",
    "fail",
    "hidden_thinking",
    "huge",
    "malformed",
    "overloaded",
    "page",
    "refuse",
    "say",
    "scenario_json",
    "stall",
    "think",
]

WAIT_S = 30.0
"""How long a test waits for something that must happen, before it fails."""

STREAM_HEAD = {"content-type": "text/event-stream; charset=utf-8", "transfer-encoding": "chunked"}


class ModelServer:
    """The server; a context manager, running in threads of this process."""

    def __init__(
        self,
        scenario: Sequence[Reply] | Callable[[Recorded], Reply] = (),
        *,
        after: After = "fail",
        pick: Pick = "order",
        keep_bodies: bool = True,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._script = Script(scenario, after=after, pick=pick)
        self._keep_bodies = keep_bodies
        self._changed = threading.Condition()  # guards the counters and lists below
        self.requests: list[Recorded] = []
        self._stalled = 0
        self._hang_ups = 0
        self._quit = threading.Event()
        self._held, self._holder = socket.socketpair()
        self._listener = Listener(self._serve, port=port, tls=tls)
        self.port = self._listener.port
        self.url = f"{'http' if tls is None else 'https'}://127.0.0.1:{self.port}"

    def __enter__(self) -> "ModelServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.release()
        self._listener.close()
        self._held.close()
        self._holder.close()

    def env(self) -> dict[str, str]:
        """The environment that points all three built-in providers here."""
        return {
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": "test-anthropic-key",
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "OPENAI_API_KEY": "test-openai-key",
            "LM_STUDIO_BASE_URL": f"{self.url}/v1",
            "LM_STUDIO_MODEL": "scripted",
        }

    @property
    def connections(self) -> int:
        """How many connections have been made so far."""
        return self._listener.accepted

    def add(self, *replies: Reply) -> None:
        """More replies at the end of the script."""
        with self._changed:
            self._script.replies.extend(replies)

    def reset(self) -> None:
        """Forgets the requests and starts the script again."""
        with self._changed:
            self.requests.clear()
            self._script.restart()

    def release(self) -> None:
        """Lets every stalled reply go on to its end, now and from now on."""
        self._holder.send(b"x")

    def wait_for_requests(self, count: int, timeout_s: float = WAIT_S) -> list[Recorded]:
        """Waits until so many requests have come in, and returns them."""
        self._wait(lambda: len(self.requests) >= count, f"{count} requests", timeout_s)
        return list(self.requests)

    def wait_for_stall(self, count: int = 1, timeout_s: float = WAIT_S) -> None:
        """Waits until so many replies have fallen silent."""
        self._wait(lambda: self._stalled >= count, f"{count} stalled replies", timeout_s)

    def wait_for_hang_ups(self, count: int = 1, timeout_s: float = WAIT_S) -> None:
        """Waits until so many clients have closed the connection before their reply was complete."""
        self._wait(lambda: self._hang_ups >= count, f"{count} hang-ups", timeout_s)

    def wait_for_quit(self) -> None:
        self._quit.wait()

    def stop_waiting(self) -> None:
        self._quit.set()

    def _wait(self, reached: Callable[[], bool], what: str, timeout_s: float) -> None:
        with self._changed:
            if not self._changed.wait_for(reached, timeout_s):
                seen = f"{len(self.requests)} requests, {self._stalled} stalled, {self._hang_ups} hang-ups"
                raise AssertionError(f"waited {timeout_s} s for {what}; saw {seen}")

    # What follows runs in the connections' threads.

    def _serve(self, connection: Connection) -> None:
        while True:
            request = connection.next_request()
            wire = model_wires.wire_of(request.path) if request.method == "POST" else None
            if wire is None:
                connection.send(self._beside(request))
                continue
            try:
                recorded, reply, number = self._take(request, wire)
            except msgspec.MsgspecError as error:
                connection.send(whole_response(400, model_wires.error_body(wire, 400, str(error)), {}))
                continue
            try:
                if not self._answer(connection, recorded, reply, number):
                    return
            except Gone:
                self._count_hang_up()
                raise

    def _count_hang_up(self) -> None:
        with self._changed:
            self._hang_ups += 1
            self._changed.notify_all()

    def _beside(self, request: HttpRequest) -> bytes:
        """Whatever is not a question to the model."""
        if request.path == "/__requests":
            with self._changed:
                seen = [{"number": r.number, "path": r.path, "at": r.at, "size": r.size} for r in self.requests]
            return whole_response(200, json.dumps(seen).encode(), {})
        if request.path == "/__reset":
            self.reset()
            return whole_response(200, b"{}", {})
        if request.path == "/__quit":
            self._quit.set()
            return whole_response(200, b"{}", {"connection": "close"})
        plain = request.path.partition("?")[0]
        if plain.endswith("/models"):
            return whole_response(200, b'{"object":"list","data":[{"id":"scripted","object":"model"}]}', {})
        if plain.endswith("/count_tokens"):
            return whole_response(200, b'{"input_tokens":11}', {})
        return whole_response(404, b'{"error":{"type":"not_found_error","message":"no such path"}}', {})

    def _take(self, request: HttpRequest, wire: str) -> tuple[Recorded, Reply, int]:
        """Records the request and finds its reply and the number its ids are made of."""
        with self._changed:
            recorded = Recorded(request, len(self.requests), wire)
            self.requests.append(recorded)
            reply, number = self._script.next(recorded)
            if not self._keep_bodies:
                recorded.body = b""
            self._changed.notify_all()
        return recorded, reply, number

    def _answer(self, connection: Connection, recorded: Recorded, reply: Reply, number: int) -> bool:
        """Sends the reply. False when the connection is to be closed."""
        if reply.break_after == -1:
            if not self._break(connection, recorded.wire, reply):
                return False
            reply = reply.but(break_after=None)
        if reply.body is not None or reply.status != 200:
            body = model_wires.error_body(recorded.wire, reply.status, reply.error)
            connection.send(
                whole_response(
                    reply.status,
                    body if reply.body is None else reply.body.encode(errors="surrogateescape"),
                    reply.headers,
                )
            )
            return True
        asked = recorded.asked
        if not asked.stream:
            body = model_wires.whole(recorded.wire, reply, model=asked.model, number=number)
            connection.send(whole_response(200, body, reply.headers))
            return True
        usage = bool(asked.stream_options and asked.stream_options.get("include_usage"))
        sent = model_wires.events(recorded.wire, reply, model=asked.model, number=number, include_usage=usage)
        return self._stream(connection, recorded.wire, reply, sent)

    def _stream(self, connection: Connection, wire: str, reply: Reply, sent: list[bytes]) -> bool:
        opening = head(200, STREAM_HEAD | reply.headers)
        cut = reply.break_after is not None and reply.break_after < len(sent)
        shown = sent[: reply.break_after] if cut else sent
        if reply.separately:
            connection.send(opening)
            for event in shown:
                connection.send(piece(event))
        else:
            connection.send(opening + (piece(b"".join(shown)) if shown else b"") + (b"" if cut else LAST_PIECE))
        if not cut:
            if reply.separately:
                connection.send(LAST_PIECE)
            return True
        if not self._break(connection, wire, reply):
            return False
        connection.send(piece(b"".join(sent[reply.break_after :])) + LAST_PIECE)
        return True

    def _break(self, connection: Connection, wire: str, reply: Reply) -> bool:
        """Does what the script wants in the middle of a reply. True when the reply goes on afterwards."""
        how = reply.break_how
        if how == "stall":
            with self._changed:
                self._stalled += 1
                self._changed.notify_all()
            gone = connection.wait_until_gone(self._held)
            if gone:
                self._count_hang_up()
            return not gone
        if how in ("overloaded", "server_error"):
            connection.send(piece(model_wires.trouble(wire, how)) + LAST_PIECE)
        elif how == "end":
            connection.send(LAST_PIECE)
        elif how == "reset":
            connection.reset()
        return False


def closed_port() -> int:
    """A port on loopback where nobody listens (until a server is started there on purpose)."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A scripted model on loopback.")
    parser.add_argument("--scenario", required=True, help="JSON written by scenario_json()")
    parser.add_argument("--port-file", required=True, help="where to write the port once listening")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--after", choices=["fail", "repeat", "cycle"], default="fail")
    parser.add_argument("--pick", choices=["order", "depth"], default="order")
    parser.add_argument("--keep-bodies", action="store_true")
    parser.add_argument("--announce", action="store_true", help="also print the URL once listening")
    given = parser.parse_args(arguments)
    with open(given.scenario, "rb") as file:
        replies = scenario_from_json(file.read())
    with ModelServer(
        replies, after=given.after, pick=given.pick, keep_bodies=given.keep_bodies, port=given.port
    ) as server:
        _stop_on_signals(server)
        _write_port(given.port_file, server.port)
        if given.announce:
            print(server.url, flush=True)
        server.wait_for_quit()
    return 0


def _write_port(path: str, port: int) -> None:
    """By a rename, so that whoever waits for the file never reads half a number."""
    with open(f"{path}.new", "w", encoding="ascii") as file:
        file.write(f"{port}\n")
    os.replace(f"{path}.new", path)


def _stop_on_signals(server: ModelServer) -> None:
    import signal

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop_waiting())


if __name__ == "__main__":
    sys.exit(main())
