"""May a name be reached, and may the address behind it? Pure: a list of domains in, an answer out.

A list holds names (`example.org`), names with a star for everything below (`*.example.org`), either with `:port`, and
addresses or networks (`10.1.0.0/16`). Names say who may be spoken to. An address that is not out on the Internet is
reached only where it is listed too, or the name is one that can only mean such a place: so nobody who controls a
listed name can point it at this machine or its neighbours.
"""

import ipaddress
from collections.abc import Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Range = ipaddress.IPv4Network | ipaddress.IPv6Network

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test")
"""Names reserved for what is near. Listed word for word, they mean it."""


class Domains:
    def __init__(self, listed: Sequence[str]) -> None:
        self._names: set[tuple[str, int | None]] = set()
        self._ranges: list[Range] = []
        for entry in listed:
            network = _network(entry.strip())
            if network is not None:
                self._ranges.append(network)
            else:
                self._names.add(_split(entry))

    def has(self, host: str, port: int) -> bool:
        """Whether the host may be spoken to. An address counts where it is listed itself."""
        address = _address(host)
        if address is not None:
            return self._is_listed(address)
        name = _plain(host)
        above = name.split(".")
        patterns = [name, *("*." + ".".join(above[at:]) for at in range(1, len(above)))]
        return any((pattern, kept) in self._names for pattern in patterns for kept in (None, port))

    def may_lead_to(self, host: str, port: int, address_text: str) -> bool:
        """Whether a host that may be spoken to may be at that address."""
        address = _address(address_text.partition("%")[0])
        if address is None:
            return False
        is_far = all(inner.is_global and not inner.is_multicast for inner in _meanings(address))
        return is_far or self._is_listed(address) or self._is_local_name(host, port)

    def _is_listed(self, address: Address) -> bool:
        return any(inner in network for inner in _meanings(address) for network in self._ranges)

    def _is_local_name(self, host: str, port: int) -> bool:
        name = _plain(host)
        is_exact = bool(self._names & {(name, None), (name, port)})
        return is_exact and ("." not in name or name.endswith(LOCAL_ENDINGS))


def _split(entry: str) -> tuple[str, int | None]:
    name, colon, port = entry.strip().rpartition(":")
    return (_plain(name), int(port)) if colon and port.isdigit() else (_plain(entry), None)


def _plain(host: str) -> str:
    name = host.strip().lower().removesuffix(".")
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


def _network(text: str) -> Range | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _address(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _meanings(address: Address) -> list[Address]:
    """The address, and the older one that may be hidden in it."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    hidden = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in NAT64:
        hidden.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    found = [inner for inner in hidden if inner is not None]
    return [*found] if address.ipv4_mapped is not None else [address, *found]
