"""How is a connection to a place on the web opened? To an address that was checked, or through a proxy; then TLS."""

import asyncio
import ssl

from daedal.tools.errors import INTERNAL, Refused
from daedal.tools.urls import Url
from daedal.tools.way_out import Proxy, Route, WayOut

CONNECT_TIMEOUT_S = 10.0
"""For each address that is tried."""


class Line:
    """An open connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def hang_up(self) -> None:
        """Closes at once, without waiting for the other end to agree."""
        self.writer.transport.abort()


async def dial(route: Route, way: WayOut) -> Line:
    """Raises Refused, with what went wrong. The caller sets the deadline and hangs up."""
    try:
        if route.proxy is not None:
            return await _through(route.proxy, route.url, way)
        return await _first(route, way)
    except ssl.SSLCertVerificationError as error:
        raise Refused(f"The certificate of {route.url.host} is not trusted: {error.verify_message}.") from error
    except ssl.SSLError as error:
        raise Refused(f"No secure connection to {route.url.authority}: {error.reason or error}.") from error
    except TimeoutError as error:
        raise Refused(f"{INTERNAL}{_where(route)} did not answer within {CONNECT_TIMEOUT_S:g} s.") from error
    except OSError as error:
        raise Refused(f"{_where(route)} cannot be reached: {error.strerror or error}.") from error


async def _first(route: Route, way: WayOut) -> Line:
    """The first address that answers. TLS is done with that one; a bad certificate is no reason to try another."""
    url = route.url
    for address in route.addresses[:-1]:
        try:
            return await _opened(address, url, way)
        except ssl.SSLError:
            raise
        except OSError:
            continue
    return await _opened(route.addresses[-1], url, way)


async def _opened(address: str, url: Url, way: WayOut) -> Line:
    # asyncio looks nothing up where the host is an address already, so this is the address that was checked.
    async with asyncio.timeout(CONNECT_TIMEOUT_S):
        if not url.is_secure:
            return Line(*await asyncio.open_connection(address, url.port))
        return Line(*await asyncio.open_connection(address, url.port, ssl=way.tls(), server_hostname=url.host))


async def _through(proxy: Proxy, url: Url, way: WayOut) -> Line:
    async with asyncio.timeout(CONNECT_TIMEOUT_S):
        secure = way.tls() if proxy.is_secure else None
        line = Line(*await asyncio.open_connection(proxy.host, proxy.port, ssl=secure))
        try:
            if url.is_secure:
                await _tunnel(line, proxy, url)
                await line.writer.start_tls(way.tls(), server_hostname=url.host)
        except BaseException:
            line.hang_up()
            raise
        return line


async def _tunnel(line: Line, proxy: Proxy, url: Url) -> None:
    lines = [f"CONNECT {url.authority} HTTP/1.1", f"Host: {url.authority}"]
    if proxy.authorization:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    line.writer.write("\r\n".join((*lines, "", "")).encode("latin-1"))
    try:
        head = await line.reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise Refused(f"The proxy {proxy.host}:{proxy.port} did not answer as a proxy does.") from error
    status = head.split(b" ", 2)[1:2]
    if status != [b"200"]:
        told = status[0][:3].decode("latin-1") if status else "nothing"
        raise Refused(f"The proxy {proxy.host}:{proxy.port} refused to reach {url.authority}: it answered {told}.")


def _where(route: Route) -> str:
    if route.proxy is None:
        return route.url.authority
    return f"{route.url.authority} by way of the proxy {route.proxy.host}:{route.proxy.port}"
