"""What is a search asked, and what has it found so far? Pages by their URL, each as well described as is known."""

from collections.abc import Sequence

from msgspec import Struct

TRACES = ("?utm_source=openai", "&utm_source=openai")
"""What a vendor adds to the addresses that its model cites, though the page has none of it."""
TASK = (
    "Search the web once, with exactly the query below. Then write one short sentence about each useful result and cite"
    " it. Nothing else is asked of you.\n\nQuery: "
)
ANSWER_TOKENS_MAX = 4_096
"""Enough for a sentence about each of a few pages."""


class WebQuery(Struct, frozen=True, kw_only=True):
    text: str
    allowed_domains: Sequence[str] = ()
    blocked_domains: Sequence[str] = ()
    """Wishes: a vendor knows the one list or the other, so whoever asks looks at what came back."""


class WebHit(Struct, frozen=True, kw_only=True):
    url: str
    title: str = ""
    snippet: str = ""


class SearchHits:
    """Filled by a reader while a reply streams."""

    def __init__(self) -> None:
        self._pages: dict[str, WebHit] = {}
        self._ages: dict[str, str] = {}
        self.is_searched = False
        """Whether any search was made at all."""
        self.trouble = ""
        """The vendor's word for why a search brought nothing."""

    def add(self, url: str, title: str | None = None, snippet: str | None = None, *, age: str | None = None) -> None:
        """What is said of a page first stays, unless it was nothing."""
        for trace in TRACES:
            url = url.removesuffix(trace)
        if not url:
            return
        known = self._pages.get(url) or WebHit(url=url)
        self._pages[url] = WebHit(url=url, title=known.title or title or "", snippet=known.snippet or snippet or "")
        if age:
            self._ages[url] = age

    def pages(self) -> list[WebHit]:
        """In the order they came, each snippet with the age of its page where that is known."""
        return [
            WebHit(url=url, title=hit.title, snippet=" · ".join(filter(None, (self._ages.get(url), hit.snippet))))
            for url, hit in self._pages.items()
        ]
