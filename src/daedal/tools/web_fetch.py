"""How does the model read a page on the web?"""

import asyncio
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any

from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.addresses import Neighbours
from daedal.tools.errors import INTERNAL, TRUNCATED, Refused
from daedal.tools.tool import BuiltinTool
from daedal.tools.urls import read_url
from daedal.tools.way_out import WayOut
from daedal.tools.web_cache import PageCache
from daedal.tools.web_pages import Page, Redirect, fetch
from daedal.tools.web_settings import WebSettings

SHOWN_CHARACTERS_MAX = 100_000
"""Of a page in one answer. Below 1,048,576 bytes, whatever the characters."""
LINE_SEARCH_CHARACTERS = 2_000
"""How far back from there a line end is looked for."""
FAILURE_CHARACTERS_MAX = 4_000
"""Of the page that comes with an HTTP error."""
PROMPT_CHARACTERS_MAX = 500


class WebFetchInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str
    prompt: str
    offset: Annotated[int, Meta(ge=0)] = 0


class WebFetch(BuiltinTool[WebFetchInput]):
    def __init__(
        self, spec: ToolSpec, settings: WebSettings, way: WayOut, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(spec, WebFetchInput)
        self._timeout_s = settings.timeout_seconds
        self._way = way
        self._neighbours = Neighbours(settings.allow_private)
        self._cache = PageCache(clock)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a URL is no path
        return []

    async def act(self, call: WebFetchInput, bench: Bench) -> Outcome:  # noqa: ARG002 - no file is touched
        url = read_url(call.url)
        page = self._cache.get(str(url))
        if page is None:
            found = await self._fetched(call.url)
            if isinstance(found, Redirect):
                return Outcome(content=_elsewhere(found, call))
            if not 200 <= found.status < 300:
                return Outcome(content=_failure(found), is_error=True)
            page = found
            self._cache.keep(str(url), page)
        return Outcome(content=_shown(page, call))

    async def _fetched(self, url: str) -> Page | Redirect:
        try:
            async with asyncio.timeout(self._timeout_s):
                return await fetch(read_url(url), self._way, self._neighbours)
        except TimeoutError as error:
            raise Refused(
                f"{INTERNAL}{url} was not fetched within {self._timeout_s:g} s. Try once more, or another source."
            ) from error


def _shown(page: Page, call: WebFetchInput) -> str:
    total = len(page.text)
    start = call.offset
    if start > 0 and start >= total:
        return f"(offset {start} is past the end: {page.url} has {total} characters)"
    end = _end(page.text, start)
    title = f' · "{page.title}"' if page.title else ""
    head = f"{page.url}{title} · {page.kind}, {total} characters\nAsked for: {_short(call.prompt)}\n"
    parts = [head, page.text[start:end] or "(the page is empty)"]
    if end < total:
        parts.append(f"\n(characters {start} to {end} of {total}; go on with offset {end}) {TRUNCATED}")
    elif page.is_cut:
        parts.append(f"\n(the page goes on, but only so much of it is read) {TRUNCATED}")
    elif start:
        parts.append(f"\n(characters {start} to {end} of {total})")
    return "\n".join(parts)


def _end(text: str, start: int) -> int:
    """Where to stop: at the end, or after a line that ends near the limit."""
    end = start + SHOWN_CHARACTERS_MAX
    if end >= len(text):
        return len(text)
    line_end = text.rfind("\n", end - LINE_SEARCH_CHARACTERS, end)
    return end if line_end < 0 else line_end + 1


def _elsewhere(found: Redirect, call: WebFetchInput) -> str:
    return (
        f"{found.url} redirects to another place (HTTP {found.status}), which was not followed:\n{found.target}\n"
        f"If that is where you want to go, call WebFetch with that url and the prompt: {_short(call.prompt)}"
    )


def _failure(page: Page) -> str:
    try:
        phrase = f" {HTTPStatus(page.status).phrase}"
    except ValueError:
        phrase = ""
    excerpt = page.text[:FAILURE_CHARACTERS_MAX]
    mark = f" {TRUNCATED}" if len(page.text) > FAILURE_CHARACTERS_MAX else ""
    return f"HTTP {page.status}{phrase}: {page.url}\n\n{excerpt}{mark}".rstrip()


def _short(prompt: str) -> str:
    line = " ".join(prompt.split())
    return line if len(line) <= PROMPT_CHARACTERS_MAX else f"{line[:PROMPT_CHARACTERS_MAX]}…"
