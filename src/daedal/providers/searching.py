"""How does a model's own vendor search the web? By a request beside the dialogue, which only some wires know.

The vendor's server searches and a model of it reads what was found. What comes back is a list of pages; the words that
the model writes about them serve only to say what each page is about. Like every request it costs tokens, and says so.
"""

from collections.abc import Mapping
from contextlib import aclosing
from typing import Protocol

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import Finished, ModelCard, Usage
from daedal.providers.access import Access
from daedal.providers.choice import Choice
from daedal.providers.dialogue import HttpProvider
from daedal.providers.findings import SearchHits, WebHit, WebQuery
from daedal.providers.registry import connect
from daedal.providers.settings import NetworkSettings
from daedal.providers.wire import Reader


class WebFindings(Struct, frozen=True, kw_only=True):
    hits: list[WebHit]
    card: ModelCard
    """Which model read what was found."""
    usage: Usage
    trouble: str = ""
    """Why there are none, where no search was made. It has cost something all the same."""


class SearchWire(Protocol):
    """Writes a search and reads what was found. Pure."""

    def request(self, query: WebQuery) -> bytes: ...

    def reader(self, hits: SearchHits) -> Reader:
        """Puts what it reads into `hits`."""
        ...


async def search_web(
    choice: Choice,
    query: WebQuery,
    network: NetworkSettings,
    env: Mapping[str, str],
    access: Access | None = None,
) -> WebFindings:
    """Raises ConfigurationError where the provider offers no search, and ProviderError. Cancellable."""
    wire = _wire(choice)
    provider = connect(choice, network, env, access)
    assert isinstance(provider, HttpProvider), "only these have a search"
    found, usage = SearchHits(), Usage()

    def reader() -> Reader:
        nonlocal found
        found = SearchHits()  # what an earlier attempt brought counts for nothing
        return wire.reader(found)

    try:
        async with aclosing(provider.ask([wire.request(query)], reader)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Finished):
                    usage = chunk.usage
    finally:
        await provider.close()
    return WebFindings(hits=found.pages(), card=choice.card, usage=usage, trouble=_trouble(found))


def _trouble(found: SearchHits) -> str:
    if found.is_searched or found.pages():
        return ""
    return say("providers.search_failed", code=found.trouble) if found.trouble else say("providers.not_searched")


def _wire(choice: Choice) -> SearchWire:
    endpoint = choice.endpoint
    if endpoint.kind == "anthropic":
        from daedal.providers.anthropic_search import AnthropicSearch

        return AnthropicSearch(choice)
    if endpoint.kind == "openai" and endpoint.wire == "responses":
        from daedal.providers.responses_search import ResponsesSearch

        return ResponsesSearch(choice)
    spoken = endpoint.wire if endpoint.kind == "openai" else endpoint.kind
    raise ConfigurationError(say("providers.no_search", provider=endpoint.name, wire=spoken))
