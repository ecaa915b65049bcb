"""What does somebody ask of the proxy? The head of a request is read, and written again as the far end is to see it."""

import asyncio

from msgspec import Struct

OF_ONE_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te", b"host"}
)
HTTP = b"http://"
HOST_BYTES_MAX = 255


class Request(Struct, frozen=True):
    host: str
    port: int
    head: bytes
    """What to send ahead; empty for a tunnel."""


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """None for what is no request for a proxy. Raises EOFError or ValueError where there is no whole head."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
    method, _, rest = first.partition(b" ")
    target, _, version = rest.rpartition(b" ")
    if not version.startswith(b"HTTP/1.") or any(byte <= 32 for byte in target):
        return None
    if method == b"CONNECT":
        return _place(target, default=None, head=b"")
    if not target.lower().startswith(HTTP):
        return None
    authority, slash, path = target[len(HTTP) :].partition(b"/")
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() not in OF_ONE_HOP]
    # One request, one connection, one host: what follows cannot be another request for somebody else.
    head = [method + b" /" + path + b" HTTP/1.1", b"Host: " + authority, b"Connection: close", *kept]
    return _place(authority, default=80, head=b"\r\n".join(head) + b"\r\n\r\n") if slash or not path else None


def _place(authority: bytes, *, default: int | None, head: bytes) -> Request | None:
    host, colon, port = authority.rpartition(b":")
    if not colon or port.endswith(b"]"):
        host, port = authority, b"%d" % default if default else b""
    host = host.removeprefix(b"[").removesuffix(b"]")
    if not host or len(host) > HOST_BYTES_MAX or not port.isdigit() or not 0 < int(port) < 65536:
        return None
    if any(byte in b"@/?#\\[]%" for byte in host):
        return None
    try:
        return Request(host.decode("ascii"), int(port), head)
    except UnicodeDecodeError:
        return None
