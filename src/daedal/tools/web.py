"""What do tools need to know of the web? How it is reached, and with which keys."""

import os
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from daedal.tools.search_backends import SearchBackend
    from daedal.tools.way_out import WayOut


class Web(Protocol):
    """How the web is reached, and with which keys. Asked only when a tool that needs it is first made."""

    def way_out(self) -> "WayOut": ...

    def secret(self, name: str) -> str | None:
        """The value of a variable that settings name."""
        ...

    def own_search(self) -> "SearchBackend | None":
        """The search of the model's own provider; None where there is nobody to ask."""
        ...


class DirectWeb:
    """Without proxies, with the system's certificate authorities and the process environment."""

    def way_out(self) -> "WayOut":
        from daedal.tools.way_out import WayOut

        return WayOut()

    def secret(self, name: str) -> str | None:
        return os.environ.get(name)

    def own_search(self) -> "SearchBackend | None":
        return None
