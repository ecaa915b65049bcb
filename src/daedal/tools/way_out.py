"""Which way leads to a place on the web? The addresses it was checked to have, or a proxy.

Every name is looked up once, every answer is checked, and the connection goes to those very addresses: a name server
that answers differently a moment later gains nothing. Where a proxy is set, it does the looking up: then only
what the name itself says can be checked, and what the proxy lets through is its owner's decision.
"""

import ssl
from collections.abc import Awaitable, Callable
from functools import cache

from msgspec import Struct

from daedal.tools.addresses import Neighbours, is_literal
from daedal.tools.errors import Refused
from daedal.tools.lookup import look_up
from daedal.tools.urls import Url

ADDRESSES_MAX = 4
"""How many addresses of a host are tried."""


class Proxy(Struct, frozen=True, kw_only=True):
    host: str
    port: int
    is_secure: bool = False
    authorization: str | None = None
    """What Proxy-Authorization says."""


@cache
def system_tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def no_proxy(_url: str) -> Proxy | None:
    return None


class WayOut(Struct, frozen=True, kw_only=True):
    """What the web is reached with. `app` says which proxies and certificate authorities hold."""

    resolve: Callable[[str, int], Awaitable[list[str]]] = look_up
    """The addresses of a host. Raises OSError."""
    proxy_for: Callable[[str], Proxy | None] = no_proxy
    """The proxy for a URL."""
    tls: Callable[[], ssl.SSLContext] = system_tls


class Route(Struct, frozen=True):
    url: Url
    addresses: list[str]
    """Checked, to be tried in turn; empty where a proxy is the way."""
    proxy: Proxy | None
    is_public: bool
    """The place is out on the Internet, as far as can be told."""


async def find_route(url: Url, way: WayOut, neighbours: Neighbours) -> Route:
    """Raises Refused where the place may not be spoken to or does not exist."""
    neighbours.check_literal(url.host)
    proxy = way.proxy_for(str(url))
    if proxy is not None:
        neighbours.check_name(url.host)
        return Route(url, [], proxy, not neighbours.names(url.host))
    found = [url.host] if is_literal(url.host) else await _looked_up(url, way)
    # All of them are checked, not only those that will be tried: one that is near makes the whole answer suspect.
    are_public = [neighbours.check_address(url.host, address) for address in found]
    return Route(url, _alternating(found)[:ADDRESSES_MAX], None, all(are_public))


async def _looked_up(url: Url, way: WayOut) -> list[str]:
    try:
        found = await way.resolve(url.host, url.port)
    except OSError as error:
        raise Refused(f"The host {url.host} cannot be found: {error.strerror or error}.") from error
    if not found:
        raise Refused(f"The host {url.host} has no address.")
    return found


def _alternating(addresses: list[str]) -> list[str]:
    """Both families in turn, beginning with the system's first: where one of them leads nowhere, the other is near."""
    first = [address for address in addresses if (":" in address) == (":" in addresses[0])]
    second = [address for address in addresses if address not in first]
    pairs = [address for pair in zip(first, second, strict=False) for address in pair]
    return [*pairs, *first[len(second) :], *second[len(first) :]]
