"""How do web tools reach out? By the same proxies, certificate authorities and keys as the model endpoints."""

from typing import TYPE_CHECKING

from daedal.app.startup import Startup
from daedal.providers import Trust, parse_address, proxy_authorization, proxy_for
from daedal.tools import Proxy, WayOut

if TYPE_CHECKING:
    from daedal.providers import Choice
    from daedal.tools import Found, Query


class HouseWeb:
    """The `Web` of a thread. `provider` and `model` are the thread's own; the default model's where it has none."""

    def __init__(self, startup: Startup, provider: str | None = None, model: str | None = None) -> None:
        self._startup = startup
        self._provider = provider
        self._model = model

    def way_out(self) -> WayOut:
        return WayOut(proxy_for=self._proxy_for, tls=Trust(self._startup.settings.network.ca_file).context)

    def secret(self, name: str) -> str | None:
        return self._startup.credentials.environment().get(name)

    def own_search(self) -> "ProviderSearch":
        return ProviderSearch(self._startup, self._provider, self._model)

    def _proxy_for(self, url: str) -> Proxy | None:
        environment = self._startup.credentials.environment()
        found = proxy_for(parse_address(url, source="tools.web"), self._startup.settings.network.proxy, environment)
        if found is None:
            return None
        login = proxy_authorization(found)
        return Proxy(host=found.host, port=found.port, is_secure=found.secure, authorization=login)


class ProviderSearch:
    """The `SearchBackend` of a model's own provider: a request beside the thread's, with its key and to its host."""

    def __init__(self, startup: Startup, provider: str | None, model: str | None) -> None:
        self._startup = startup
        self._provider = provider
        self._model = model
        self.name = provider or "the model's provider"

    async def search(self, query: "Query") -> "Found":
        from daedal.providers import WebQuery, search_web
        from daedal.tools import Found, Hit

        asked = WebQuery(text=query.text, allowed_domains=query.allowed_domains, blocked_domains=query.blocked_domains)
        environment = self._startup.credentials.environment()
        choice = self._choice(environment)
        network, access = self._startup.settings.network, self._startup.access(choice)
        found = await search_web(choice, asked, network, environment, access)
        hits = [Hit(title=hit.title, url=hit.url, snippet=hit.snippet) for hit in found.hits]
        return Found(hits=hits, card=found.card, usage=found.usage, trouble=found.trouble)

    def _choice(self, environment: dict[str, str]) -> "Choice":
        """Settled with the first search: most threads never make one."""
        from daedal.providers import resolve

        provider, model, chosen = self._provider, self._model, self._startup.model
        if not provider and not model and chosen is not None:
            provider, model = chosen.provider, chosen.model_id
        if not provider and not model:
            model = self._startup.settings.default_model
        entries = self._startup.settings.providers
        return resolve(
            provider=provider or None,
            model=model or None,
            entries=entries,
            env=environment,
            is_supplied=self._startup.is_supplied,
        )
