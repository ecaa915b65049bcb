"""How do web tools reach out? By the same proxies and certificate authorities as the model endpoints."""

from daedal.app.startup import Startup
from daedal.providers import Trust, parse_address, proxy_authorization, proxy_for
from daedal.tools import Proxy, WayOut


class HouseWeb:
    """The `Web` of this process."""

    def __init__(self, startup: Startup) -> None:
        self._startup = startup

    def way_out(self) -> WayOut:
        return WayOut(proxy_for=self._proxy_for, tls=Trust(self._startup.settings.network.ca_file).context)

    def secret(self, name: str) -> str | None:
        return self._startup.credentials.environment().get(name)

    def _proxy_for(self, url: str) -> Proxy | None:
        environment = self._startup.credentials.environment()
        found = proxy_for(parse_address(url, source="tools.web"), self._startup.settings.network.proxy, environment)
        if found is None:
            return None
        login = proxy_authorization(found)
        return Proxy(host=found.host, port=found.port, is_secure=found.secure, authorization=login)
