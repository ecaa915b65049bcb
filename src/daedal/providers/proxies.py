"""Through which proxy does a request go? The setting, else the usual variables, unless NO_PROXY names the host."""

from collections.abc import Mapping

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.providers.address import Address, parse

_FOR_HTTPS = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
_FOR_HTTP = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


def proxy_for(target: Address, setting: str | None, env: Mapping[str, str]) -> Address | None:
    """The proxy's address, or None for the direct way. What a variable says never applies to loopback."""
    if _excluded(target, env.get("NO_PROXY") or env.get("no_proxy") or ""):
        return None
    if setting:
        return _parsed(setting, "network.proxy")
    if target.loopback:
        return None
    for name in _FOR_HTTPS if target.secure else _FOR_HTTP:
        if value := env.get(name, "").strip():
            return _parsed(value, name)
    return None


def _parsed(value: str, source: str) -> Address:
    if value.lower().startswith("socks"):
        raise ConfigurationError(say("providers.proxy_socks", source=source))
    return parse(value if "://" in value else f"http://{value}", source=source)


def _excluded(target: Address, listed: str) -> bool:
    return any(_covers(entry.strip().lower(), target) for entry in listed.split(",") if entry.strip())


def _covers(entry: str, target: Address) -> bool:
    """`*`, a host, a domain with everything below it, an address range, each also with a port."""
    if entry == "*":
        return True
    if "/" in entry:
        return _in_range(entry, target.host)
    host, colon, port = entry.rpartition(":")
    if colon and port.isdigit() and (":" not in host or host.endswith("]")):
        if int(port) != target.port:
            return False
        entry = host
    domain = entry.strip("[]").removeprefix("*").lstrip(".")
    return bool(domain) and (target.host == domain or target.host.endswith(f".{domain}"))


def _in_range(entry: str, host: str) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False


def authorization(proxy: Address) -> str | None:
    """The Proxy-Authorization header for the name and password in the proxy's URL."""
    if not proxy.userinfo:
        return None
    from base64 import b64encode
    from urllib.parse import unquote

    login = unquote(proxy.userinfo)
    return "Basic " + b64encode((login if ":" in login else f"{login}:").encode()).decode()
