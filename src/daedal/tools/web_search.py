"""How does the model search the web?"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.model import SideCall, ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import INTERNAL, Refused
from daedal.tools.html_tokens import Text, tokens
from daedal.tools.search_backends import ENGINES, RESULTS_MAX, Found, Hit, Query, SearchBackend
from daedal.tools.search_engine import EngineBackend
from daedal.tools.tool import BuiltinTool
from daedal.tools.urls import read_url
from daedal.tools.way_out import WayOut
from daedal.tools.web_settings import SearchSettings, WebSettings

TITLE_CHARACTERS_MAX = 200
SNIPPET_CHARACTERS_MAX = 400
QUERY_CHARACTERS_MAX = 400
DOMAINS_MAX = 20


class WebSearchInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(min_length=2)]
    allowed_domains: list[str] = []
    blocked_domains: list[str] = []


class WebSearch(BuiltinTool[WebSearchInput]):
    def __init__(
        self,
        spec: ToolSpec,
        settings: WebSettings,
        way: WayOut,
        secret: Callable[[str], str | None] = os.environ.get,
        provided: SearchBackend | None = None,
    ) -> None:
        """`secret` gives the value of a variable; `provided` is the search of the model's own provider."""
        super().__init__(spec, WebSearchInput)
        self._settings = settings
        self._way = way
        self._secret = secret
        self._provided = provided

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a query is no path
        return []

    async def act(self, call: WebSearchInput, bench: Bench) -> Outcome:  # noqa: ARG002 - no file is touched
        query = Query(
            text=" ".join(call.query.split())[:QUERY_CHARACTERS_MAX],
            allowed_domains=_domains(call.allowed_domains),
            blocked_domains=_domains(call.blocked_domains),
        )
        backend = self._backend(self._settings.search)
        timeout_s = self._settings.timeout_seconds
        try:
            async with asyncio.timeout(timeout_s):
                found = await backend.search(query)
        except TimeoutError as error:
            raise Refused(f"{INTERNAL}{backend.name} did not answer within {timeout_s:g} s.") from error
        except ConfigurationError as error:
            raise _not_set_up(str(error)) from error
        except ProviderError as error:
            raise Refused(f"The search failed: {error}") from error
        if found.trouble:
            return Outcome(content=f"The search failed: {found.trouble}", is_error=True, side_calls=_asked(found))
        hits = [hit for hit in found.hits if _is_wanted(hit, query)][:RESULTS_MAX]
        return Outcome(content=_listed(query, hits), side_calls=_asked(found))

    def _backend(self, settings: SearchSettings) -> SearchBackend:
        if settings.backend is None:
            raise _not_set_up("tools.web.search.backend is not set")
        if settings.backend == "provider":
            if self._provided is None:
                raise _not_set_up("this model's provider offers no search")
            return self._provided
        engine = ENGINES[settings.backend]
        url = settings.url or engine.url
        if not url:
            raise Refused(f"WebSearch is not set up: {settings.backend} needs tools.web.search.url. Tell the user.")
        key_env = settings.key_env or engine.key_env
        key = (self._secret(key_env) or "").strip() if key_env else ""
        if key_env and not (key and key.isascii() and key.isprintable()):
            raise Refused(
                f"WebSearch has no key for {settings.backend}: the environment variable {key_env}"
                " (tools.web.search.key_env) is not set or holds no key. Tell the user."
            )
        return EngineBackend(settings.backend, engine, url=url, key_env=key_env, key=key, way=self._way)


def _not_set_up(why: str) -> Refused:
    return Refused(
        f"WebSearch is not set up: {why}. Tell the user to set tools.web.search.backend to searxng, brave or tavily in"
        " config.toml. Meanwhile, WebFetch opens pages whose URL you know."
    )


def _domains(written: list[str]) -> list[str]:
    """Plain names, whatever they were written like: `https://docs.example.org/x` is docs.example.org."""
    if len(written) > DOMAINS_MAX:
        raise Refused(f"More than {DOMAINS_MAX} domains are too many for one search.")
    hosts = [entry.strip().lower().removeprefix("*.") for entry in written if entry.strip()]
    return [read_url(host if "://" in host else f"https://{host}").host for host in hosts]


def _is_wanted(hit: Hit, query: Query) -> bool:
    try:
        host = read_url(hit.url).host
    except Refused:
        return False
    is_allowed = not query.allowed_domains or _is_below(host, query.allowed_domains)
    return is_allowed and not _is_below(host, query.blocked_domains)


def _is_below(host: str, domains: Sequence[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _listed(query: Query, hits: list[Hit]) -> str:
    if not hits:
        return f"No results for: {query.text}"
    entries = [
        f"{number}. {_short(hit.title, TITLE_CHARACTERS_MAX) or hit.url}\n   {hit.url.strip()}"
        + (f"\n   {snippet}" if (snippet := _short(hit.snippet, SNIPPET_CHARACTERS_MAX)) else "")
        for number, hit in enumerate(hits, 1)
    ]
    return f"Results for: {query.text}\n\n" + "\n".join(entries)


def _asked(found: Found) -> list[SideCall]:
    """What a model used to search."""
    return [] if found.card is None else [SideCall(card=found.card, usage=found.usage)]


def _short(text: str, characters_max: int) -> str:
    """On one line, without the tags that some engines mark words with."""
    words = " ".join("".join(token.text for token in tokens(text[:4096]) if isinstance(token, Text)).split())
    return words if len(words) <= characters_max else f"{words[:characters_max]}…"
