"""How is the same story told by Daedal's own app-server and by the real Codex? Each in the words of its model's tools.

Either is a client that gathers all that passes over its connection, in both directions.
"""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from daedal.client import GatheredThread, Gathering, TurnSummary, read_line
from tests.client.codex_child import CodexChild
from tests.guests.patching import patch
from tests.toolbox.model_server import ModelServer, Reply, Tokens, call, say
from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Child, WireClient

TOKENS = Tokens(input=7, output=7, cache_read=4, reasoning=2)
"""What a patch of Codex's model is said to have used: the same for all replies of a story."""
NUMBERS = itertools.count(1)


class Gathered(WireClient):
    """Comes before the kind of client it is."""

    gathering: Gathering

    def send(self, **message: Any) -> None:
        self.gathering.said(read_line(json.dumps(message)))  # type: ignore[arg-type]
        super().send(**message)

    def next(self) -> dict[str, Any] | None:
        message = super().next()
        if message is not None:
            self.gathering.heard(read_line(json.dumps(message)))
        return message

    def begin(self, thread_id: str, text: str = "Go.") -> str:
        given = {"threadId": thread_id, "input": [{"type": "text", "text": text}]}
        return self.call("turn/start", given)["turn"]["id"]

    def play(self, thread_id: str, *decisions: str) -> TurnSummary:
        """A whole turn. What is asked is answered by these, then by `accept`."""
        self.begin(thread_id)
        rest = iter(decisions)
        while (message := self.next()) is not None and message.get("method") != "turn/completed":
            if "id" in message and "method" in message:
                self.send(id=message["id"], result={"decision": next(rest, "accept")})
        return self.summary(thread_id)

    def known(self, thread_id: str) -> GatheredThread:
        thread = self.gathering.thread(thread_id)
        assert thread is not None
        return thread

    def summary(self, thread_id: str) -> TurnSummary:
        summary = self.gathering.summary(thread_id)
        assert summary is not None
        return summary


class _Native(Gathered, Child):
    pass


class _Codex(Gathered, CodexChild):
    pass


class NativeSide:
    name = "native"

    def __init__(self, daedal: Daedal) -> None:
        self.daedal = daedal
        self.options = {"modelProvider": "openai_compatible", "model": "o3", "sandbox": "danger-full-access"}
        self.gathering = Gathering()

    def connect(self, model: ModelServer, gathering: Gathering | None = None) -> Any:
        self.daedal.env.update(model.env())
        client = _Native(self.daedal)
        client.gathering = gathering or self.gathering
        client.gathering.reconnected()
        return client

    def plan(self, **steps: str) -> Reply:
        return call("TodoWrite", todos=[{"content": step, "activeForm": step, "status": steps[step]} for step in steps])

    def run(self, command: str) -> Reply:
        return call("Bash", command=command)

    def add(self, path: Path, *lines: str) -> Reply:
        return call("Write", file_path=str(path), content="".join(f"{line}\n" for line in lines))

    def change(self, path: Path, old: str, new: str) -> Reply:
        return call("Edit", file_path=str(path), old_string=old, new_string=new)


class CodexSide:
    name = "codex"

    def __init__(self, daedal: Daedal) -> None:
        self.daedal = daedal
        self.options = {"cwd": str(daedal.workspace)}
        self.gathering = Gathering()

    def connect(self, model: ModelServer, gathering: Gathering | None = None) -> Any:
        client = _Codex(self.daedal.root / "codex", self.daedal.workspace, model)
        client.gathering = gathering or self.gathering
        client.gathering.reconnected()
        return client

    def plan(self, **steps: str) -> Reply:
        return call("update_plan", plan=[{"step": step, "status": steps[step]} for step in steps])

    def run(self, command: str) -> Reply:
        return call("exec_command", cmd=command, login=False)

    def add(self, path: Path, *lines: str) -> Reply:
        return patch(f"call_{next(NUMBERS)}", f"*** Add File: {path.name}", *(f"+{line}" for line in lines))

    def change(self, path: Path, old: str, new: str) -> Reply:
        return patch(f"call_{next(NUMBERS)}", f"*** Update File: {path.name}", "@@", f"-{old}", f"+{new}")


Side = NativeSide | CodexSide


def counted(*replies: Reply) -> list[Reply]:
    """All of them say that they used the same."""
    return [reply if reply.body is not None else reply.but(usage=TOKENS) for reply in replies]


def working(side: Side) -> Iterator[Reply]:
    """A plan, commands that succeed, fail and are refused, files that are new and that are changed, and an answer."""
    folder = side.daedal.workspace
    yield side.plan(look="in_progress", mend="pending")
    yield side.run("touch made")
    yield side.run("touch other; exit 3")
    yield side.run("touch never")
    yield side.add(folder / "new.txt", "one", "two")
    yield side.change(folder / "new.txt", "one", "uno")
    yield side.change(folder / "old.txt", "before", "after")
    yield side.plan(look="completed", mend="completed")
    yield say("All done.", chunks=3)
