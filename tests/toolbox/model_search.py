"""What does the scripted model's own vendor find on the web? Pages, and which of them the model then cites.

    ModelServer([call("WebSearch", query="how"), found(Page("https://a.example/", "A", said="About A.")), say("Done.")])

Works where a wire has such a search: Anthropic Messages and the Responses API.
"""

from msgspec import Struct

from tests.toolbox.model_replies import Reply


class Page(Struct, frozen=True):
    url: str
    title: str = ""
    age: str | None = None
    said: str = ""
    """What the model says of it, citing it; empty: it is found and not cited."""


class Searched(Struct, frozen=True):
    """A part of a reply: one search that the vendor's server made, and the sentences about it."""

    pages: tuple[Page, ...] = ()
    trouble: str = ""
    """The vendor's word for a search that failed."""

    @property
    def cited(self) -> list[Page]:
        return [page for page in self.pages if page.said]


def found(*pages: Page) -> Reply:
    return Reply(parts=[Searched(pages)])  # type: ignore[list-item]


def search_failed(trouble: str = "unavailable") -> Reply:
    return Reply(parts=[Searched(trouble=trouble)])  # type: ignore[list-item]
