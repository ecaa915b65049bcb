"""Where does a URL lead? Read strictly: what two programs could read differently is refused."""

import re
from urllib.parse import quote, urljoin

from msgspec import Struct

from daedal.tools.errors import Refused

URL_CHARACTERS_MAX = 4096

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(//)?([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?", re.DOTALL)
_PLACE = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]%]+))(?::([0-9]{1,5})?)?")
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")
_UNSEEN = re.compile(r"[\x00-\x20\x7f\\]")
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_PORTS = {"http": 80, "https": 443}


class Url(Struct, frozen=True):
    scheme: str
    host: str
    """Lower case, ASCII, without brackets."""
    port: int
    target: str
    """Path and query, as they are asked for."""

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    @property
    def has_usual_port(self) -> bool:
        return self.port == _PORTS[self.scheme]

    @property
    def authority(self) -> str:
        return f"{self._bracketed}:{self.port}"

    @property
    def host_header(self) -> str:
        return self._bracketed if self.has_usual_port else self.authority

    @property
    def _bracketed(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host_header}{self.target}"

    def secured(self) -> "Url":
        """The same over https, where it is http on its usual port."""
        return self if self.is_secure or not self.has_usual_port else Url("https", self.host, 443, self.target)


def read_url(text: str) -> Url:
    text = text.strip()
    if len(text) > URL_CHARACTERS_MAX:
        raise Refused(f"The URL is longer than {URL_CHARACTERS_MAX} characters.")
    if _UNSEEN.search(text):
        raise Refused("The URL contains a blank, a control character or a backslash. Percent-encode it.")
    found = _URL.fullmatch(text)
    if found is None:
        raise Refused("That is no absolute URL. Give one that starts with https://.")
    scheme = found[1].lower()
    if scheme not in _PORTS or not found[2]:
        raise Refused(f"Only http:// and https:// URLs can be fetched, not {scheme}:. For files, use Read.")
    if "@" in found[3]:
        raise Refused("The URL contains a user name or password. Credentials are never sent; leave them out.")
    host, port = _place(found[3], scheme)
    return Url(scheme, host, port, quote((found[4] or "/") + (found[5] or ""), safe=_ASCII))


def joined(base: Url, location: str) -> Url:
    """Where a redirect leads. Blanks, which servers forget to encode, are forgiven."""
    try:
        return read_url(urljoin(str(base), location.strip().replace(" ", "%20")))
    except (Refused, ValueError) as error:
        raise Refused(f"{base} redirects to something that cannot be fetched: {location[:200]!r} ({error})") from error


def _place(written: str, scheme: str) -> tuple[str, int]:
    found = _PLACE.fullmatch(written)
    if found is None:
        raise Refused("The URL's host cannot be read. Give one such as https://example.com/path.")
    host = found[1].lower() if found[1] else _name(found[2])
    port = int(found[3]) if found[3] else _PORTS[scheme]
    if not 0 < port < 65536:
        raise Refused(f"The URL's port {port} does not exist.")
    return host, port


def _name(written: str) -> str:
    host = written.lower().removesuffix(".")
    if not host.isascii():
        try:
            host = host.encode("idna").decode().lower()
        except UnicodeError as error:
            raise Refused("The URL's host is no valid name.") from error
    last = host.rpartition(".")[2]
    # `127.1`, `0x7f000001` and `2130706433` are 127.0.0.1 to some programs and a name to others.
    is_misleading = _NUMBER.fullmatch(last) and not _QUAD.fullmatch(host)
    if len(host) > 253 or not _HOST.fullmatch(host) or is_misleading:
        raise Refused("The URL's host is no valid name or address.")
    return host
