"""Does a recorded conversation play again as it was, without secrets, and does a damaged one say where?"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.model import BlockKept, CallRequested, Chunk, TextDelta
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Provider
from daedal.protocol.turns import ErrorKind
from daedal.providers import ProviderSettings, connect, recording, replaying, resolve
from tests.providers.asking import IMPATIENT, KEY, chunks_of, every_wire, opened, provider_at, result, run, user
from tests.toolbox.model_server import ModelServer, call, drop, fail, hidden_thinking, say, stall, think


def as_is(text: str) -> str:
    return text


def recorded(
    wire: str, server: ModelServer, path: Path, calls: int, redact: Callable[[str], str] = as_is
) -> list[list[Chunk]]:
    """So many calls in one dialogue, recorded."""

    async def scenario() -> list[list[Chunk]]:
        provider = recording(provider_at(wire, server.url), str(path), redact)
        try:
            return await replies(provider, calls)
        finally:
            await provider.close()

    return run(scenario())


async def replies(provider: Provider, calls: int) -> list[list[Chunk]]:
    dialogue = opened(provider, user("Hi."))
    told: list[list[Chunk]] = []
    for _ in range(calls):
        told.append(await chunks_of(dialogue.stream()))
        dialogue.append(user(result("c", "output"), "Go on."))
    return told


def played(path: Path, calls: int) -> list[list[Chunk]]:
    return run(replies(replaying(str(path)), calls))


def comparable(told: list[list[Chunk]]) -> list[list[object]]:
    return [
        [(c.kept.index, c.kept.wire, bytes(c.kept.block)) if isinstance(c, BlockKept) else c for c in chunks]
        for chunks in told
    ]


@every_wire
def test_what_is_recorded_plays_again_as_it_was(wire: str, tmp_path: Path):
    script = [
        think("Hm.") + hidden_thinking() + say("Looking.", chunks=3) + call("Bash", command="ls"),
        drop(3),
        fail(500),
        say("Wörds ✓", chunks=4).but(separately=True),
    ]
    path = tmp_path / "tape.jsonl"
    with ModelServer(script) as server:
        told = recorded(wire, server, path, 2)
        card = provider_at(wire, server.url).card
    assert comparable(played(path, 2)) == comparable(told)
    assert replaying(str(path)).card == card
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_call_that_was_given_up_is_given_up_again(tmp_path: Path):
    path = tmp_path / "tape.jsonl"
    with ModelServer([fail(400, "too long")]) as server, pytest.raises(ProviderError) as first:
        recorded("chat", server, path, 1)
    with pytest.raises(ProviderError) as again:
        played(path, 1)
    assert (str(again.value), again.value.kind, again.value.status) == (str(first.value), first.value.kind, 400)


def test_a_cancelled_call_is_not_recorded(tmp_path: Path):
    path = tmp_path / "tape.jsonl"

    async def scenario(server: ModelServer) -> None:
        provider = recording(provider_at("anthropic", server.url), str(path), as_is)
        stream = opened(provider, user("Hi.")).stream()
        await anext(stream)
        await stream.aclose()
        await provider.close()

    with ModelServer([stall(5)]) as server:
        run(scenario(server))
    assert path.read_bytes() == b""


def test_recording_goes_on_at_the_end_of_a_cassette(tmp_path: Path):
    path = tmp_path / "tape.jsonl"
    with ModelServer([say("One."), say("Two.")]) as server:
        told = recorded("chat", server, path, 1) + recorded("chat", server, path, 1)
    assert played(path, 2) == told


def test_secrets_stay_off_the_cassette_even_when_spread_over_deltas(tmp_path: Path):
    path = tmp_path / "tape.jsonl"
    script = [think(f"It is {KEY}.", chunks=9) + say(f"The key is {KEY}!", chunks=7).but(separately=True), say(KEY)]
    script[0] += call("Bash", command=f"echo {KEY}")
    with ModelServer([reply.but(separately=True) for reply in script]) as server:
        recorded("chat", server, path, 2, Redactor([("TEST_KEY", KEY)]))
    assert KEY not in path.read_text()
    first, second = played(path, 2)
    assert TextDelta("The key is [REDACTED:TEST_KEY]!") in first
    assert CallRequested("toolu_0000_2", "Bash", '{"command":"echo [REDACTED:TEST_KEY]"}') in first
    assert second[0] == TextDelta("[REDACTED:TEST_KEY]")


def test_a_used_up_cassette_says_so(tmp_path: Path):
    path = tmp_path / "tape.jsonl"
    with ModelServer([say("One.")]) as server:
        recorded("chat", server, path, 1)
    with pytest.raises(ProviderError, match=r"all 1 recorded calls of .* are used up") as caught:
        played(path, 2)
    assert caught.value.kind is ErrorKind.CONFIGURATION


def test_a_cassette_serves_as_a_provider_under_its_own_name(tmp_path: Path):
    path = tmp_path / "tape.jsonl"
    with ModelServer([say("One.")]) as server:
        told = recorded("chat", server, path, 1)
    entry = ProviderSettings(name="tape", kind="replay", file=str(path))
    provider = connect(resolve(provider="tape", model=None, entries=[entry], env={}), IMPATIENT, {})
    assert (provider.card.provider, provider.card.model_id) == ("tape", "tape")
    assert run(replies(provider, 1)) == told


DAMAGED = [
    ("{not json", "line 2"),
    ("{}", "line 2"),
    ('{"cassette": 2}', "line 2"),
    ("[]", "line 2"),
    (
        '{"cassette":1,"card":{"provider":"p","model_id":"m","wire_model":"w"},"request":{"messages":1,"last":[],"tools":0},"chunks":[{"text":"a"}]}',
        "it has no end",
    ),
    (
        '{"cassette":1,"card":{"provider":"p","model_id":"m","wire_model":"w"},"request":{"messages":1,"last":[],"tools":0},"chunks":[{}]}',
        "it has no end",
    ),
]


@pytest.mark.parametrize(("line", "words"), DAMAGED)
def test_a_damaged_cassette_names_file_and_line(tmp_path: Path, line: str, words: str):
    path = tmp_path / "tape.jsonl"
    with ModelServer([say("One.")]) as server:
        recorded("chat", server, path, 1)
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(ConfigurationError) as caught:
        replaying(str(path))
    assert f"{path}, line 2" in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("content", [None, b"", b"\n\n"])
def test_a_missing_or_empty_cassette_is_named(tmp_path: Path, content: bytes | None):
    path = tmp_path / "tape.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"tape\.jsonl"):
        replaying(str(path))


def test_a_cassette_that_cannot_be_written_is_named_before_anything_is_asked(tmp_path: Path):
    provider = provider_at("chat", "http://127.0.0.1:1")
    with pytest.raises(ConfigurationError, match="nowhere"):
        recording(provider, str(tmp_path / "nowhere" / "tape.jsonl"), as_is)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_told(tmp_path: Path):
    with ModelServer([say("One.")]) as server, pytest.raises(ConfigurationError, match="No space left"):
        recorded("chat", server, Path("/dev/full"), 1)
