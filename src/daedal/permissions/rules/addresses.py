"""Is a URL what a rule names? The host that would really be asked, whatever else the URL says.

An allow is read narrowly: a URL that two programs could read differently is covered by none. A deny is read widely.
"""

import re

from msgspec import Struct

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(//)?([^/?#]*)(.*)", re.DOTALL)
_PLAIN = re.compile(r"[!-\[\]-~]+")
_PORT = re.compile(r"(.*?)(?::(\d*))?", re.DOTALL)
_PORTS = {"http": "80", "https": "443"}


class Address(Struct, frozen=True):
    scheme: str
    host: str
    port: str
    rest: str
    """Path, query and fragment."""
    is_plain: bool
    """Nothing in it that could be read in two ways: user names, backslashes, blanks, trailing dots, foreign letters."""


def read_address(url: object) -> Address | None:
    """What the URL asks, or None where it is none."""
    if not isinstance(url, str):
        return None
    # Browsers drop tabs and newlines wherever they are, and read a backslash as a slash.
    cleaned = re.sub(r"[\t\r\n]", "", url.strip()).replace("\\", "/")
    parts = _PARTS.fullmatch(cleaned)
    if parts is None:
        return None
    scheme, slashes, authority, rest = parts[1].lower(), parts[2], parts[3], parts[4]
    user, at, place = authority.rpartition("@")
    split = _PORT.fullmatch(place)
    host, port = (split[1], split[2] or "") if split else (place, "")
    is_plain = (
        cleaned == url
        and _PLAIN.fullmatch(url) is not None
        and slashes is not None
        and not at
        and not user
        and "%" not in host
        and not host.endswith(".")
    )
    return Address(scheme, _host(host), port or _PORTS.get(scheme, ""), rest, is_plain)


def domain_matches(domain: str, address: Address, *, widely: bool) -> bool:
    """`example.com` names that host alone, `*.example.com` what lies below it and itself, `*` every host."""
    if not widely and not (address.is_plain and address.scheme in _PORTS and address.host):
        return False
    if domain == "*":
        return True
    wanted = _host(domain.removeprefix("*."))
    return address.host == wanted or (domain.startswith("*.") and address.host.endswith(f".{wanted}"))


def url_matches(pattern: str, address: Address, *, widely: bool) -> bool:
    """`https://api.example.com/v1/*`: scheme, host and port as written, and a path in which `*` stands for anything."""
    from daedal.permissions.rules.globs import wildcard

    wanted = read_address(pattern.replace("*", "%2A"))
    if wanted is None or (not widely and not address.is_plain):
        return False
    scheme_fits = address.scheme == wanted.scheme or widely
    host = wildcard(wanted.host.replace("%2a", "*"))
    host_fits = bool(host.fullmatch(address.host)) if "%2a" in wanted.host else address.host == wanted.host
    port_fits = address.port == wanted.port or widely
    if not (scheme_fits and host_fits and port_fits):
        return False
    if not widely and _leaves_its_folder(address.rest):
        return False
    path = wanted.rest.replace("%2A", "*")
    return wildcard(path or "/").fullmatch(address.rest or "/") is not None


def _leaves_its_folder(rest: str) -> bool:
    """Whether the server may see another path than the one that is written: `/v1/../admin`, also in disguise."""
    path = re.split(r"[?#]", rest)[0].lower().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/")
    return any(step in ("..", ".") for step in path.split("/"))


def _host(host: str) -> str:
    plain = host.lower().rstrip(".")
    if plain.isascii():
        return plain
    try:
        return plain.encode("idna").decode()
    except UnicodeError:
        return plain
