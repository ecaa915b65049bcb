"""Who searches the web? SearXNG, Brave or Tavily: how each is asked, and what it answers.

Behind `SearchBackend` there may be others, such as the model provider's own search, handed in from outside.
"""

from collections.abc import Sequence
from typing import Protocol
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct

from daedal.protocol.model import ModelCard, Usage
from daedal.tools.http import Request

RESULTS_MAX = 10


class Query(Struct, frozen=True, kw_only=True):
    text: str
    allowed_domains: Sequence[str] = ()
    blocked_domains: Sequence[str] = ()


class Hit(Struct, frozen=True, kw_only=True):
    title: str = ""
    url: str
    snippet: str = ""


class Found(Struct, frozen=True, kw_only=True):
    """What a search brought, and what it cost where a model made it."""

    hits: list[Hit]
    card: ModelCard | None = None
    """The model that searched; None where none did."""
    usage: Usage = Usage()
    trouble: str = ""
    """Why there are none, where the model could not search, or did not."""


class SearchBackend(Protocol):
    """Answers a query. Raises Refused, or ConfigurationError or ProviderError; lets cancellation pass."""

    @property
    def name(self) -> str: ...

    async def search(self, query: Query) -> Found: ...


class Engine(Protocol):
    """How one kind of search engine is spoken to. Pure."""

    url: str
    """Where it is unless a setting says otherwise; empty where a setting must."""
    key_env: str
    """The usual variable for its key; empty where it needs none."""

    def ask(self, url: str, key: str, query: Query) -> tuple[str, Request]:
        """The URL and the request."""
        ...

    def hits(self, body: bytes) -> list[Hit]:
        """Raises msgspec.DecodeError."""
        ...


class _SearxngHit(Struct, frozen=True):
    url: str
    title: str | None = None
    content: str | None = None


class _SearxngAnswer(Struct, frozen=True):
    results: list[_SearxngHit] = []


class Searxng:
    url = ""
    key_env = ""

    def ask(self, url: str, key: str, query: Query) -> tuple[str, Request]:
        asked = urlencode({"q": _with_sites(query), "format": "json"})
        place = url.rstrip("/")
        path = place if place.endswith("/search") else f"{place}/search"
        return f"{path}?{asked}", Request(headers=_bearer(key))

    def hits(self, body: bytes) -> list[Hit]:
        found = msgspec.json.decode(body, type=_SearxngAnswer).results
        return [Hit(title=hit.title or "", url=hit.url, snippet=hit.content or "") for hit in found]


class _BraveHit(Struct, frozen=True):
    url: str
    title: str | None = None
    description: str | None = None


class _BraveWeb(Struct, frozen=True):
    results: list[_BraveHit] = []


class _BraveAnswer(Struct, frozen=True):
    web: _BraveWeb | None = None


class Brave:
    url = "https://api.search.brave.com/res/v1/web/search"
    key_env = "BRAVE_API_KEY"

    def ask(self, url: str, key: str, query: Query) -> tuple[str, Request]:
        asked = urlencode({"q": _with_sites(query), "count": 20, "text_decorations": "false"}, quote_via=quote)
        return f"{url}?{asked}", Request(headers=[("X-Subscription-Token", key), ("Accept", "application/json")])

    def hits(self, body: bytes) -> list[Hit]:
        web = msgspec.json.decode(body, type=_BraveAnswer).web
        found = web.results if web is not None else []
        return [Hit(title=hit.title or "", url=hit.url, snippet=hit.description or "") for hit in found]


class Tavily:
    url = "https://api.tavily.com/search"
    key_env = "TAVILY_API_KEY"

    def ask(self, url: str, key: str, query: Query) -> tuple[str, Request]:
        asked = {
            "query": query.text,
            "max_results": RESULTS_MAX,
            "include_domains": query.allowed_domains,
            "exclude_domains": query.blocked_domains,
        }
        headers = [*_bearer(key), ("Content-Type", "application/json")]
        return url, Request(method="POST", headers=headers, body=msgspec.json.encode(asked))

    def hits(self, body: bytes) -> list[Hit]:
        return Searxng().hits(body)  # both call their fields the same


ENGINES: dict[str, Engine] = {"searxng": Searxng(), "brave": Brave(), "tavily": Tavily()}


def _bearer(key: str) -> list[tuple[str, str]]:
    return [("Authorization", f"Bearer {key}")] if key else []


def _with_sites(query: Query) -> str:
    """For engines that know no lists of domains: in the query itself. What comes back is sorted out all the same."""
    allowed = " OR ".join(f"site:{domain}" for domain in query.allowed_domains)
    blocked = " ".join(f"-site:{domain}" for domain in query.blocked_domains)
    within = f"({allowed})" if len(query.allowed_domains) > 1 else allowed
    return " ".join(part for part in (query.text, within, blocked) if part)
