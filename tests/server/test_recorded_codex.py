"""Is what Codex's own terminal says accepted, also where it is not installed? Its recorded words, said again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.server.codex_talk import talk
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, WireClient

RECORDED = Path(__file__).with_name("codex_terminal.jsonl")
"""Made with `codex_recorder`, by a person at codex 0.166: a text turn, a command allowed and one refused, a change of a
file allowed, an interruption."""

Message = dict[str, Any]


class Replay:
    """Says again what the terminal said, with the threads, turns and questions of now in place of those of then."""

    def __init__(self, client: WireClient, names: dict[str, Any]) -> None:
        self._client = client
        self._names = names
        self._asked: dict[int, int] = {}
        self._unread: list[Message] = []

    def step(self, line: str) -> None:
        ((side, message),) = json.loads(line).items()
        if side == ">":
            self._say(message)
        else:
            self._expect(message)

    def _say(self, message: Message) -> None:
        renamed = self._renamed(message)
        if "method" not in renamed:
            renamed["id"] = self._asked[renamed["id"]]
        self._client.send(**renamed)

    def _expect(self, then: Message) -> None:
        is_answer = "method" not in then
        now = self._next(
            lambda one: (
                ("method" not in one and one.get("id") == then["id"])
                if is_answer
                else one.get("method") == then["method"] and ("id" in one) == ("id" in then)
            )
        )
        if is_answer:
            assert bool(now.get("error")) == ("error" in then), (then, now)
            for kind, named in then.get("result", {}).items():
                self._names[named["id"]] = now["result"][kind]["id"]
        elif "id" in then:
            self._asked[then["id"]] = now["id"]
        else:
            assert now["params"]["turn"]["status"] == then["params"]["turn"]["status"], now

    def _next(self, is_wanted: Callable[[Message], bool]) -> Message:
        """Answers may overtake each other."""
        for at, one in enumerate(self._unread):
            if is_wanted(one):
                return self._unread.pop(at)
        while (message := self._client.next()) is not None:
            if is_wanted(message):
                return message
            self._unread.append(message)
        raise AssertionError(f"the server closed; unread: {self._unread[-5:]}")

    def _renamed(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._renamed(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._renamed(inner) for inner in value]
        return self._names.get(value, value) if isinstance(value, str) else value


@requirement("FA-01", "DX-10")
def test_the_recorded_words_of_codexs_terminal_are_accepted(daedal: Daedal, model):
    model(
        talk(
            say("Hello from the other side."),
            call("Bash", command="touch made.txt"),
            say("It ran."),
            call("Bash", command="touch other.txt"),
            say("As you like."),
            call("Write", file_path=str(daedal.workspace / "b.txt"), content="one\ntwo\n"),
            say("It is written."),
            stall(after=4),
        )
    )
    with Child(daedal) as client:
        replay = Replay(client, {"$workspace": str(daedal.workspace)})
        for line in RECORDED.read_text().splitlines():
            replay.step(line)
        assert client.leave() == 0
    assert (daedal.workspace / "made.txt").exists()
    assert not (daedal.workspace / "other.txt").exists()
    assert (daedal.workspace / "b.txt").read_text() == "one\ntwo\n"
