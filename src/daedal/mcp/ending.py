"""Why did a connection end? Its transport knows, and whoever waits for an answer is told."""

from collections.abc import Callable

from msgspec import Struct

from daedal.mcp.trouble import Gone


class Ending(Struct):
    reason: str = ""
    """Empty while it lives."""
    is_forgotten: bool = False
    """A remote server does not know our session any more: what was asked last was not done."""
    is_stranger: bool = False
    """A remote server wants to know who we are, or does not believe it."""
    on_end: Callable[[], None] | None = None
    """Who wants to hear of it, once there is a connection that could end."""

    def tell(self) -> None:
        if self.on_end is not None:
            self.on_end()


def gone(ending: Ending, name: str) -> Gone:
    return Gone(f"the MCP server {name} has ended: {ending.reason}")
