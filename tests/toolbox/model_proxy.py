"""How does a client's way through a company proxy look? A small forward proxy: CONNECT, and absolute URIs for http.

    with ForwardProxy() as proxy:
        ...                      # HTTPS_PROXY=proxy.url
        assert proxy.seen == ["CONNECT 127.0.0.1:4711"]

`credentials="user:password"` makes it ask for Basic authentication. Every host name leads to loopback, so that
`http://model.example:PORT/` is reachable through the proxy and only through it.
"""

import base64
import contextlib
import socket
import threading
from types import TracebackType
from urllib.parse import urlsplit

from tests.toolbox.model_http import Connection, Listener, whole_response


class ForwardProxy:
    def __init__(self, *, credentials: str | None = None) -> None:
        self._expected = None if credentials is None else "Basic " + base64.b64encode(credentials.encode()).decode()
        self.seen: list[str] = []
        """Method and target of each request, as `CONNECT host:port` or `POST http://host:port/path`."""
        self._listener = Listener(self._serve)
        self.url = f"http://127.0.0.1:{self._listener.port}"
        self.url_with_credentials = f"http://{credentials}@127.0.0.1:{self._listener.port}"

    def __enter__(self) -> "ForwardProxy":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()

    def _serve(self, connection: Connection) -> None:
        request = connection.next_request()
        self.seen.append(f"{request.method} {request.path}")
        if self._expected is not None and request.headers.get("proxy-authorization") != self._expected:
            refusal = {"proxy-authenticate": "Basic", "connection": "close"}
            connection.send(whole_response(407, b"who are you?", refusal))
            return
        connect = request.method == "CONNECT"
        target = urlsplit(f"//{request.path}" if connect else request.path)
        with socket.create_connection(("127.0.0.1", target.port or 80), timeout=30) as upstream:
            upstream.settimeout(None)
            if connect:
                connection.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                lines = [f"{request.method} {target.path} HTTP/1.1"]
                lines += [f"{k}: {v}" for k, v in request.headers.items() if not k.startswith("proxy-")]
                upstream.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + request.body)
            _relay(connection.socket, upstream)


def _relay(client: socket.socket, upstream: socket.socket) -> None:
    """Both ways until either side has had enough."""
    back = threading.Thread(target=_pump, args=(upstream, client), daemon=True)
    back.start()
    _pump(client, upstream)
    back.join(timeout=10)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
