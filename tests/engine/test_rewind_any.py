"""Is a rewind exact? Whatever turns did to files, going back before any of them brings back files and dialogue."""

import asyncio
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from daedal.app import HouseOptions, open_house
from daedal.protocol.rewinding import RewindListParams, RewindParams
from daedal.protocol.threads import ThreadReadParams, ThreadStartParams, ToolCallParams
from daedal.protocol.verdict import Posture
from tests.toolbox.requirement import requirement

NAMES = ["a", "b", "d/c", "d/e/f", "a/x"]
"""`a` and `a/x` cannot be there together, so one may have taken the other's place."""

write = st.tuples(st.just("Write"), st.sampled_from(NAMES), st.text("xyz\n", min_size=1, max_size=6))
edit = st.tuples(st.just("Edit"), st.sampled_from(NAMES), st.text("xyz", max_size=3))
move = st.tuples(st.just("Move"), st.sampled_from([*NAMES, "d"]), st.sampled_from([*NAMES, "g", "d/g"]))
rewind = st.tuples(st.just("rewind"), st.integers(0, 30), st.sampled_from(["both", "files", "conversation"]))
actions = st.lists(st.one_of(write, write, edit, move, rewind), min_size=1, max_size=12)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def given_to(action: tuple[Any, ...], folder: Path) -> dict[str, Any]:
    kind, name, what = action
    path = str(folder / name)
    if kind == "Write":
        return {"file_path": path, "content": what}
    if kind == "Edit":
        return {"file_path": path, "old_string": "x", "new_string": what, "replace_all": True}
    return {"source_path": path, "destination_path": str(folder / what)}


class Story:
    """A thread, and what its files and dialogue were before each of its turns."""

    def __init__(self, client: Any, folder: Path) -> None:
        self._client = client
        self._folder = folder
        self._before: dict[str, tuple[dict[str, bytes], list[str]]] = {}
        self.thread = ""

    async def begin(self) -> None:
        params = ThreadStartParams(cwd=str(self._folder), without_model=True, approval_policy=Posture.YOLO)
        self.thread = (await self._client.call("thread/start", params)).thread.id

    async def play(self, action: tuple[Any, ...]) -> None:
        before = await self._state()
        points = await self._points()
        if action[0] == "rewind":
            if points:
                await self._rewind(points[action[1] % len(points)], action[2])
        else:
            params = ToolCallParams(thread_id=self.thread, tool=action[0], input=given_to(action, self._folder))
            await self._client.call("thread/toolCall", params)
        for turn in (await self._points())[len(points) :]:
            self._before[turn] = before

    async def _rewind(self, turn: str, what: str) -> None:
        files, turns = await self._state()
        done = await self._client.call(
            "thread/rewind",
            RewindParams(
                thread_id=self.thread,
                before_turn_id=turn,
                conversation=what != "files",
                files=what != "conversation",
            ),
        )
        assert done.kept == []
        files_then, turns_then = self._before[turn]
        assert await self._state() == (
            files if what == "conversation" else files_then,
            turns if what == "files" else turns_then,
        )

    async def _points(self) -> list[str]:
        listed = await self._client.call("thread/rewind/list", RewindListParams(thread_id=self.thread))
        return [point.turn_id for point in listed.data]

    async def _state(self) -> tuple[dict[str, bytes], list[str]]:
        read = await self._client.call("thread/read", ThreadReadParams(thread_id=self.thread, include_turns=True))
        return files_of(self._folder), [turn.id for turn in read.thread.turns]


@requirement("DX-07")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(story=actions)
@example(story=[("Write", "a", "x"), ("Move", "a", "b"), ("Write", "a/x", "x"), ("rewind", 0, "both")])
@example(story=[("Write", "a", "x"), ("Move", "a", "b"), ("Write", "a/x", "x"), ("rewind", 1, "both")])
def test_going_back_before_any_turn_brings_back_files_and_dialogue(tmp_path_factory, monkeypatch, story):
    root = tmp_path_factory.mktemp("rewind")
    folder = root / "project"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(root))
    monkeypatch.setenv("AGENT_SDLC_DB", str(root / "ledger.db"))

    async def scenario() -> None:
        async with open_house(
            HouseOptions(cwd=str(folder)),
            on_event=lambda _: None,
            on_request=refuse,
            on_warning=lambda _: None,
        ) as client:
            told = Story(client, folder)
            await told.begin()
            for action in story:
                await told.play(action)

    asyncio.run(scenario())


async def refuse(request: Any) -> None:
    del request
