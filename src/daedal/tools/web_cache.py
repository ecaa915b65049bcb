"""Which pages has a thread fetched just now? Kept for a quarter of an hour, so that paging on costs nothing."""

from collections.abc import Callable

from daedal.tools.web_pages import Page

KEPT_S = 900.0
CHARACTERS_MAX = 4_194_304
"""Of all pages together."""


class PageCache:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pages: dict[str, tuple[float, Page]] = {}
        """By the URL that was asked for, oldest first."""

    def get(self, url: str) -> Page | None:
        self._forget()
        found = self._pages.get(url)
        return found[1] if found else None

    def keep(self, url: str, page: Page) -> None:
        self._pages.pop(url, None)
        self._pages[url] = (self._clock(), page)
        self._forget()

    def _forget(self) -> None:
        now = self._clock()
        characters = sum(len(page.text) for _, page in self._pages.values())
        for url, (kept_at, page) in list(self._pages.items()):
            if now - kept_at < KEPT_S and characters <= CHARACTERS_MAX:
                return
            del self._pages[url]
            characters -= len(page.text)
