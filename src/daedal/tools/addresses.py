"""May an address be spoken to? What is out on the Internet may; what is near only where a setting lists it.

Pure. A model, or a page it has read, could otherwise reach this machine, its neighbours, and the cloud's metadata.
An IPv6 address that carries an IPv4 address is judged by the one that it carries.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from daedal.tools.errors import Refused

Address = IPv4Address | IPv6Address

UNICAST = IPv6Network("2000::/3")
"""All that is given out on the Internet, besides NAT64."""
NAT64 = IPv6Network("64:ff9b::/96")
NEAR = tuple(
    map(
        ip_network,
        # Multicast; 6to4 and Teredo, which lead to IPv4 addresses; documentation.
        ("224.0.0.0/4", "192.88.99.0/24", "2001::/32", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
)
LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".intranet", ".home.arpa")


class Neighbours:
    """The places near by that may be spoken to, and the answer for every other place."""

    def __init__(self, listed: Sequence[str]) -> None:
        self._ranges: list[IPv4Network | IPv6Network] = []
        self._names: set[str] = set()
        for entry in listed:
            try:
                self._ranges.append(ip_network(entry.strip().strip("[]"), strict=False))
            except ValueError:
                self._names.add(entry.strip().lower().removesuffix("."))

    def names(self, host: str) -> bool:
        """Whether the host is listed, by its own name or by `*.` and a name above it."""
        above = host.split(".")
        return host in self._names or any("*." + ".".join(above[at:]) in self._names for at in range(1, len(above)))

    def check_literal(self, host: str) -> None:
        """Raises Refused where the host is written as an address that may not be spoken to."""
        if _address(host) is not None:
            self.check_address(host, host)

    def check_name(self, host: str) -> None:
        """Raises Refused where the name alone says that the place is near. For when nobody here looks it up."""
        self.check_literal(host)
        is_near = ("." not in host and ":" not in host) or host.endswith(LOCAL_ENDINGS)
        if is_near and not self.names(host):
            raise _refused(f"{host} is a name for places that are")

    def check_address(self, host: str, text: str) -> bool:
        """Whether the address is out on the Internet. Raises Refused where it is not and is not listed either."""
        address = _address(text)
        if address is not None and is_public(address):
            return True
        if not self.names(host) and not (address is not None and self._is_listed(address)):
            raise _refused(f"{host} is" if text == host else f"{host} leads to {text}, which is")
        return False

    def _is_listed(self, address: Address) -> bool:
        carried = _carried(address)
        meanings = (address,) if carried is None else (address, carried)
        return any(meaning in network for meaning in meanings for network in self._ranges)


def is_literal(host: str) -> bool:
    return _address(host) is not None


def is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address):
        carried = _carried(address)
        if carried is not None:
            return is_public(carried)
        if address not in UNICAST:
            return False
    return address.is_global and not any(address in network for network in NEAR)


def _carried(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else address.ipv4_mapped


def _address(text: str) -> Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _refused(what: str) -> Refused:
    return Refused(
        f"Refused: {what} not out on the Internet (private, loopback, link-local or reserved). Do not try other"
        " spellings. If the user wants it fetched, they can add it to tools.web.allow_private in config.toml."
    )
