"""How does a client's way through a company proxy look? A small forward proxy: CONNECT, and absolute URIs for http.

    with ForwardProxy() as proxy:
        ...                      # HTTPS_PROXY=proxy.url
        assert proxy.seen == ["CONNECT 127.0.0.1:4711"]

`credentials="user:password"` makes it ask for Basic authentication. Every host name leads to loopback, so that
`http://model.example:PORT/` is reachable through the proxy and only through it.
"""

import base64
import select
import socket
import ssl
from types import TracebackType
from urllib.parse import urlsplit

from tests.toolbox.model_http import Connection, Listener, whole_response


class ForwardProxy:
    def __init__(self, *, credentials: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        self._expected = None if credentials is None else "Basic " + base64.b64encode(credentials.encode()).decode()
        self.seen: list[str] = []
        """Method and target of each request, as `CONNECT host:port` or `POST http://host:port/path`."""
        self._listener = Listener(self._serve, tls=tls)
        self.url = f"{'http' if tls is None else 'https'}://127.0.0.1:{self._listener.port}"

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
    """Both ways until either side has had enough. One thread, because a TLS socket does not bear two."""
    other = {client: upstream, upstream: client}
    while True:
        waiting = [sock for sock in other if isinstance(sock, ssl.SSLSocket) and sock.pending()]
        ready = waiting or select.select(list(other), [], [])[0]
        for sock in ready:
            data = sock.recv(65536)
            if not data:
                return
            other[sock].sendall(data)
