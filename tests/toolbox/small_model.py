"""A model with a small window, for threads that outgrow it: counts what it reads, and sums up as it is told to."""

import json
from collections.abc import Callable
from typing import Any

from tests.toolbox.model_server import ModelServer, Recorded, Reply, Tokens, call, say
from tests.toolbox.program import Daedal

SUMMING_UP = b"You sum up a stretch of work"
BYTES_PER_TOKEN = 4


def is_summary(request: Recorded) -> bool:
    return SUMMING_UP in request.body


class SmallModel:
    """Works step by step on a prompt, as a scripted server's function; what it is asked to sum up goes to `summary`."""

    def __init__(self, work: Callable[[int], Reply], summary: Callable[[int], Reply] | None = None) -> None:
        self._work = work
        self._summary = summary or (lambda number: say(f"Digest {number}: the work went well."))
        self.steps = 0
        self.folds = 0
        self.asked: list[Recorded] = []
        """All that was no request for a summary."""

    def __call__(self, request: Recorded) -> Reply:
        counted = Tokens(input=request.size // BYTES_PER_TOKEN, output=20)
        if is_summary(request):
            self.folds += 1
            reply = self._summary(self.folds)
        else:
            self.asked.append(request)
            self.steps += 1
            reply = self._work(self.steps)
        return reply if reply.status != 200 else reply.but(usage=counted)


def steps(count: int, *, characters: int = 400) -> Callable[[int], Reply]:
    """So many commands, each with a result of that length, and then an answer; over and over."""

    def reply(number: int) -> Reply:
        if number % (count + 1) == 0:
            return say(f"Done after {number} calls.")
        return call("Bash", command=f"printf '%0{characters}d' {number}")

    return reply


def point_at(daedal: Daedal, server: ModelServer, *, window: int, wire: str = "chat", **more: Any) -> None:
    """The program's own model is one of this window from now on."""
    lines = {"name": "small", "kind": "openai", "base_url": f"{server.url}/v1", "model": "m", "wire": wire}
    if wire == "messages":
        lines = {"name": "small", "kind": "anthropic", "base_url": server.url, "model": "m"}
    settings = {**lines, "context_window": window, **more}
    written = "\n".join(f"{key} = {json.dumps(value)}" for key, value in settings.items())
    (daedal.home / ".daedal").mkdir(exist_ok=True)
    (daedal.home / ".daedal" / "config.toml").write_text(f'default_model = "small"\n\n[[providers]]\n{written}\n')
