"""Can other tools be offered in the middle of a dialogue, without touching what was said before?"""

import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daedal.protocol.content import Message
from daedal.protocol.model import Brief, ToolSpec
from daedal.protocol.seams import Dialogue
from daedal.providers import ProviderSettings, connect, recording, resolve
from daedal.providers.cassette import read
from daedal.providers.dialogue import PIECE_BYTES
from tests.providers.asking import (
    BASH,
    BRIEF,
    IMPATIENT,
    assistant,
    chunks_of,
    every_wire,
    opened,
    provider_at,
    run,
    user,
)
from tests.providers.test_requests import STORY
from tests.toolbox.model_server import ModelServer, say

READ = ToolSpec(
    name="Read", description="Reads a file.", input_schema=msgspec.Raw(b'{"type":"object"}'), read_only=True
)
MARK = b'"cache_control":{"type":"ephemeral"}'


def bodies(wire: str, *steps: Message | list[ToolSpec] | None, brief: Brief = BRIEF) -> list[bytes]:
    """Messages are appended, lists of tools offered, and at each None the model is asked."""

    async def scenario(server: ModelServer) -> None:
        provider = provider_at(wire, server.url)
        dialogue: Dialogue = provider.open(brief)
        for step in steps:
            if step is None:
                await chunks_of(dialogue.stream())
            elif isinstance(step, list):
                dialogue.offer(step)
            else:
                dialogue.append(step)
        await provider.close()

    with ModelServer([say("ok")], after="repeat") as server:
        run(scenario(server))
        return [request.body for request in server.requests]


def names(wire: str, body: bytes) -> list[str]:
    tools: list[Any] = msgspec.json.decode(body).get("tools", [])
    return [tool["function"]["name"] if wire == "chat" else tool["name"] for tool in tools]


@every_wire
def test_from_the_next_reply_on_the_model_may_call_exactly_what_was_offered_last(wire: str):
    asked = bodies(
        wire, user("Hi."), None, [BASH, READ], None, assistant("Hm."), user("Go on."), [READ], None, [], None
    )
    assert [names(wire, body) for body in asked] == [["Bash"], ["Bash", "Read"], ["Read"], []]


@every_wire
def test_a_dialogue_with_other_tools_is_the_one_that_had_them_from_the_start(wire: str):
    story = [*STORY, assistant("Done."), user("Thanks.")]
    later = bodies(wire, *story[:2], [READ], *story[2:4], [BASH, READ], story[4], None)
    start = bodies(wire, *story, None, brief=Brief(system=BRIEF.system, tools=[BASH, READ]))
    assert later == start


@every_wire
def test_a_dialogue_without_a_system_prompt_stays_well_formed(wire: str):
    (body,) = bodies(
        wire, user("Hi."), [READ], assistant("Yes?"), user("Go on."), None, brief=Brief(system="", tools=[])
    )
    assert names(wire, body) == ["Read"]


@every_wire
def test_what_was_said_is_neither_copied_nor_written_anew(wire: str):
    dialogue = opened(provider_at(wire, "http://127.0.0.1:1"))
    for _ in range(100):
        dialogue.append(user("x" * (PIECE_BYTES // 2)))
    tracemalloc.start()
    try:
        dialogue.offer([READ])
        dialogue.stream()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * PIECE_BYTES


def test_two_cache_marks_stay_two_whatever_is_offered():
    asked = bodies("anthropic", user("Hi."), None, [BASH, READ], assistant("Yes?"), user("Go on."), None)
    assert [body.count(MARK) for body in asked] == [2, 2]
    assert all(body.rindex(MARK) > body.index(b'"messages"') > body.index(MARK) for body in asked)


def test_a_recording_knows_how_many_tools_were_offered(tmp_path: Path):
    path = tmp_path / "tape.jsonl"

    async def scenario(server: ModelServer) -> None:
        provider = recording(provider_at("chat", server.url), str(path), str)
        dialogue = opened(provider, user("Hi."))
        await chunks_of(dialogue.stream())
        dialogue.offer([BASH, READ])
        await chunks_of(dialogue.stream())
        await provider.close()

    with ModelServer([say("One."), say("Two.")]) as server:
        run(scenario(server))
        assert names("chat", server.requests[1].body) == ["Bash", "Read"]
    assert [call.request.tools for call in read(str(path))] == [1, 2]


@pytest.mark.parametrize("kind", ["replay", "script"])
def test_what_is_written_down_does_not_mind_what_is_offered(kind: str, tmp_path: Path):
    path = tmp_path / "file"
    if kind == "script":
        path.write_text('[{"say": "Hello."}]')
    else:

        async def record(server: ModelServer) -> None:
            provider = recording(provider_at("chat", server.url), str(path), str)
            await chunks_of(opened(provider, user("Hi.")).stream())
            await provider.close()

        with ModelServer([say("Hello.")]) as server:
            run(record(server))
    entry = ProviderSettings(name="file", kind=kind, file=str(path))
    dialogue = opened(
        connect(resolve(provider="file", model=None, entries=[entry], env={}), IMPATIENT, {}), user("Hi.")
    )
    dialogue.offer([READ])
    assert run(chunks_of(dialogue.stream()))[0].text == "Hello."
