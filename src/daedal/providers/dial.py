"""How is a connection to an endpoint opened? TCP, through a proxy or not, then TLS with the authorities we trust."""

import asyncio
import errno
import socket
import ssl

from msgspec import Struct

from daedal import __version__
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.turns import ErrorKind
from daedal.providers.address import Address
from daedal.providers.connection import Connection
from daedal.providers.failures import Failure, VendorError, from_status
from daedal.providers.http1 import read_head
from daedal.providers.proxies import authorization

USER_AGENT = f"daedal/{__version__}"
FALLBACK_DELAY_S = 0.25
"""How long the first address of a host may take before the next one is tried beside it (RFC 8305)."""


class Route(Struct, frozen=True, kw_only=True):
    """The way to an endpoint."""

    target: Address
    proxy: Address | None

    @property
    def tunnelled(self) -> bool:
        """Through a CONNECT tunnel; plain http is instead handed to the proxy as it is."""
        return self.proxy is not None and self.target.secure


class Trust:
    """Which certificates are believed. Loading the system's takes a while, so it waits for the first https URL."""

    def __init__(self, ca_file: str | None) -> None:
        self._ca_file = ca_file
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        if self._context is None:
            context = ssl.create_default_context()
            context.set_alpn_protocols(["http/1.1"])
            if self._ca_file is not None:
                _load(context, self._ca_file)
            self._context = context
        return self._context


def _load(context: ssl.SSLContext, ca_file: str) -> None:
    try:
        context.load_verify_locations(cafile=ca_file)
    except ssl.SSLError as error:
        raise ConfigurationError(say("providers.ca_file_malformed", path=ca_file)) from error
    except OSError as error:
        raise ConfigurationError(say("providers.ca_file_unreadable", path=ca_file, why=error.strerror)) from error


async def dial(route: Route, trust: Trust, timeout_s: float) -> Connection:
    """An open connection, ready for a request. Everything that can go wrong is a Failure."""
    where = route.target.authority if route.proxy is None else say("providers.via", proxy=route.proxy.authority)
    connection = Connection(where)
    try:
        async with asyncio.timeout(timeout_s):
            await _open(connection, route, trust, timeout_s)
    except TimeoutError as error:
        connection.abort()
        reason = say("providers.connect_timeout", where=where, seconds=f"{timeout_s:g}")
        raise Failure(reason, ErrorKind.NETWORK, retry=True) from error
    except ssl.SSLError as error:
        connection.abort()
        raise _tls_failure(error, route.target.authority) from error
    except OSError as error:
        connection.abort()
        raise _unreachable(error, where, route.proxy or route.target) from error
    except BaseException:
        connection.abort()
        raise
    return connection


async def _open(connection: Connection, route: Route, trust: Trust, timeout_s: float) -> None:
    loop = asyncio.get_running_loop()
    first = route.proxy or route.target
    await loop.create_connection(
        lambda: connection,
        first.host,
        first.port,
        ssl=trust.context() if first.secure else None,
        happy_eyeballs_delay=FALLBACK_DELAY_S,
    )
    if not route.tunnelled or route.proxy is None:
        return
    await _tunnel(connection, route.target, route.proxy, timeout_s)
    inner = connection.transport
    if inner is None or connection.ended:
        raise connection.lost()
    connection.transport = await loop.start_tls(inner, connection, trust.context(), server_hostname=route.target.host)


async def _tunnel(connection: Connection, target: Address, proxy: Address, timeout_s: float) -> None:
    lines = [f"CONNECT {target.authority} HTTP/1.1", f"Host: {target.authority}", f"User-Agent: {USER_AGENT}"]
    if login := authorization(proxy):
        lines.append(f"Proxy-Authorization: {login}")
    connection.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
    head = await read_head(connection, timeout_s)
    if head.status != 200:
        refusal = VendorError(say("providers.proxy_refused", proxy=proxy.authority))
        raise from_status(head.status, head.headers, refusal, where=str(proxy), variable="", model="")


def _unreachable(error: OSError, where: str, first: Address) -> Failure:
    if isinstance(error, socket.gaierror):
        return Failure(say("providers.unknown_host", where=where), ErrorKind.NETWORK, retry=True)
    # asyncio lumps the errors of several addresses into one, and their numbers into its text.
    if isinstance(error, ConnectionRefusedError) or f"[Errno {errno.ECONNREFUSED}]" in str(error):
        here = say("providers.is_it_running") if first.loopback else ""
        return Failure(say("providers.refused", where=where, here=here), ErrorKind.NETWORK, retry=True)
    return Failure(
        say("providers.unreachable", where=where, why=error.strerror or error), ErrorKind.NETWORK, retry=True
    )


def _tls_failure(error: ssl.SSLError, where: str) -> Failure:
    if isinstance(error, ssl.SSLCertVerificationError):
        reason = say("providers.untrusted", where=where, why=error.verify_message)
        return Failure(reason, ErrorKind.CONFIGURATION, retry=False, advice=say("providers.untrusted_advice"))
    if isinstance(error, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
        return Failure(say("providers.lost", where=where, detail=" (TLS)"), ErrorKind.NETWORK, retry=True)
    reason = say("providers.tls", where=where, why=error.reason or error)
    return Failure(reason, ErrorKind.CONFIGURATION, retry=False, advice=say("providers.check_url"))
