"""Which reply is due? By the order of requests, by the depth of the conversation, or by a function of the request."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from tests.toolbox import model_wires
from tests.toolbox.model_http import HttpRequest
from tests.toolbox.model_replies import Reply, fail

After = Literal["fail", "repeat", "cycle"]
Pick = Literal["order", "depth"]


class _Asked(msgspec.Struct):
    """The little of a request body that shapes the answer; the rest is skipped, not parsed."""

    model: str = "scripted"
    stream: bool = False
    stream_options: dict[str, Any] | None = None


_ASKED = msgspec.json.Decoder(_Asked)


class Recorded:
    """A request as it came in. `json` is parsed when first looked at."""

    def __init__(self, request: HttpRequest, number: int, wire: str) -> None:
        self.method = request.method
        self.path = request.path
        self.headers = request.headers
        self.body = request.body
        self.size = len(request.body)
        self.at = request.at
        self.number = number
        self.wire = wire
        self.asked = _ASKED.decode(request.body)
        self._json: Any = None

    @property
    def json(self) -> Any:
        if self._json is None:
            self._json = json.loads(self.body)
        return self._json

    @property
    def depth(self) -> int:
        """How many replies the conversation in this request already holds."""
        return model_wires.depth_of(self.wire, self.json)

    def __repr__(self) -> str:
        return f"<request {self.number} {self.method} {self.path} {self.body[:2000]!r}>"


class Script:
    """The replies and how far they are used up. Its owner takes care that one thread at a time asks."""

    def __init__(self, scenario: Sequence[Reply] | Callable[[Recorded], Reply], *, after: After, pick: Pick) -> None:
        self._choose = scenario if callable(scenario) else None
        self.replies: list[Reply] = [] if callable(scenario) else list(scenario)
        self._after = after
        self._by_depth = pick == "depth"
        self.restart()

    def restart(self) -> None:
        self._position = 0
        self._used = 0

    def next(self, recorded: Recorded) -> tuple[Reply, int]:
        """The reply, and the number that its ids are made of."""
        if self._choose is not None:
            return self._choose(recorded), recorded.number
        if self._by_depth:
            depth = recorded.depth
            return self._at(depth), depth
        reply = self._at(self._position)
        self._used += 1
        if reply.times and self._used >= reply.times:
            self._position += 1
            self._used = 0
        return reply, recorded.number

    def _at(self, position: int) -> Reply:
        if position < len(self.replies):
            return self.replies[position]
        if self._after == "fail" or not self.replies:
            return fail(400, f"the scenario has only {len(self.replies)} replies")
        return self.replies[-1 if self._after == "repeat" else position % len(self.replies)]
