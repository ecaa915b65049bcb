"""How is a search engine on the web asked? By its own URL and key, and the key is seen by nobody else.

The key goes to the place that the user's settings name and nowhere else: no redirect is followed, and it is sent in the
open only to places near by. Whatever comes back has it replaced before anyone reads it.
"""

import msgspec

from daedal.protocol.redaction import Redactor
from daedal.tools.addresses import Neighbours
from daedal.tools.errors import Refused
from daedal.tools.http import exchange
from daedal.tools.search_backends import Engine, Found, Query
from daedal.tools.urls import read_url
from daedal.tools.way_out import WayOut, find_route

BODY_BYTES_MAX = 2_097_152
ERROR_CHARACTERS_MAX = 300


class EngineBackend:
    """A `SearchBackend` over HTTP."""

    def __init__(self, name: str, engine: Engine, *, url: str, key_env: str, key: str, way: WayOut) -> None:
        self.name = name
        self._engine = engine
        self._url = url
        self._key_env = key_env
        self._key = key
        self._way = way
        self._hide = Redactor([(key_env, key)])

    async def search(self, query: Query) -> Found:
        asked, request = self._engine.ask(self._url, self._key, query)
        url = read_url(asked)
        # The user named this place, so it may be near.
        route = await find_route(url, self._way, Neighbours([url.host]))
        if self._key and not url.is_secure and route.is_public:
            raise Refused(f"WebSearch would send its key in the open: tools.web.search.url must be https ({url.host}).")
        async with exchange(route, request, self._way) as response:
            body = await response.read(BODY_BYTES_MAX)
        if response.status != 200:
            raise self._failure(response.status, body)
        try:
            return Found(hits=self._engine.hits(self._hide(body.decode("utf-8", "replace")).encode()))
        except msgspec.DecodeError as error:
            raise Refused(f"{self.name} did not answer with search results in JSON.") from error

    def _failure(self, status: int, body: bytes) -> Refused:
        said = self._hide(" ".join(body.decode("utf-8", "replace").split()))[:ERROR_CHARACTERS_MAX]
        if status in (401, 403) and self._key_env:
            advice = f"Tell the user that the key in {self._key_env} was refused."
        elif status == 403:
            advice = "Tell the user that the server must list json under search.formats in its settings.yml."
        elif status == 429:
            advice = "Wait before the next search."
        else:
            advice = "Try once more, or go on without a search."
        return Refused(f"The search failed: {self.name} answered HTTP {status}. {advice}\n{said}".rstrip())
