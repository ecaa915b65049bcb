"""How do these tests ask a model? A provider for each wire, a short brief, and chunks collected as a list."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any

import msgspec
import pytest

from daedal.protocol.content import Block, Message, Role, Text, ToolResult
from daedal.protocol.errors import ProviderError
from daedal.protocol.model import Brief, Chunk, Finished, Retrying, StopReason, TextDelta, ToolSpec, Usage
from daedal.protocol.seams import Dialogue, Provider
from daedal.providers import NetworkSettings, ProviderSettings, connect, resolve
from tests.toolbox.model_server import ModelServer

WIRES = ["anthropic", "chat", "responses"]
every_wire = pytest.mark.parametrize("wire", WIRES)

IMPATIENT = NetworkSettings(backoff_base_s=0.001, backoff_max_s=0.002)
KEY = "key-of-the-tests-0123456789"

BASH = ToolSpec(
    name="Bash",
    description="Runs a command.",
    input_schema=msgspec.Raw(b'{"type":"object","properties":{"command":{"type":"string"}}}'),
    read_only=False,
)
BRIEF = Brief(system="You are a tester.", tools=[BASH])


def entry(wire: str, url: str, **changes: Any) -> ProviderSettings:
    """The settings of an endpoint at a scripted server."""
    kind, base_url = ("anthropic", url) if wire == "anthropic" else ("openai", f"{url}/v1")
    asked = {"name": "test", "kind": kind, "base_url": base_url, "model": "model-x", "api_key_env": "TEST_KEY"}
    if wire != "anthropic":
        asked["wire"] = wire
    return ProviderSettings(**(asked | changes))


def provider_at(
    wire: str,
    url: str,
    network: NetworkSettings = IMPATIENT,
    env: Mapping[str, str] | None = None,
    **changes: Any,
) -> Provider:
    variables = {"TEST_KEY": KEY} | dict(env or {})
    choice = resolve(provider="test", model=None, entries=[entry(wire, url, **changes)], env=variables)
    return connect(choice, network, variables)


def user(*blocks: Block | str) -> Message:
    return Message(Role.USER, [Text(block) if isinstance(block, str) else block for block in blocks])


def assistant(*blocks: Block | str, kept: Any = ()) -> Message:
    content = [Text(block) if isinstance(block, str) else block for block in blocks]
    return Message(Role.ASSISTANT, content, list(kept))


def result(call_id: str, content: str, *, is_error: bool = False) -> ToolResult:
    return ToolResult(call_id, content, is_error)


async def chunks_of(stream: AsyncIterator[Chunk]) -> list[Chunk]:
    return [chunk async for chunk in stream]


def run(scenario: Coroutine[Any, Any, Any]) -> Any:
    """No test waits for ever, whatever is broken."""

    async def bounded() -> Any:
        async with asyncio.timeout(60):
            return await scenario

    return asyncio.run(bounded())


def ask(
    wire: str,
    server: ModelServer,
    *messages: Message,
    network: NetworkSettings = IMPATIENT,
    env: Mapping[str, str] | None = None,
    **changes: Any,
) -> list[Chunk]:
    """One reply to the messages (or to a greeting), as a fresh provider gives it."""
    return ask_at(wire, server.url, *messages, network=network, env=env, **changes)


def ask_at(
    wire: str,
    url: str,
    *messages: Message,
    network: NetworkSettings = IMPATIENT,
    env: Mapping[str, str] | None = None,
    **changes: Any,
) -> list[Chunk]:
    async def scenario() -> list[Chunk]:
        provider = provider_at(wire, url, network, env, **changes)
        try:
            return await chunks_of(opened(provider, *(messages or [user("Hello.")])).stream())
        finally:
            await provider.close()

    return run(scenario())


def opened(provider: Provider, *messages: Message) -> Dialogue:
    dialogue = provider.open(BRIEF)
    for message in messages:
        dialogue.append(message)
    return dialogue


def failure(wire: str, server: ModelServer, **options: Any) -> ProviderError:
    """The error of a call that is given up."""
    with pytest.raises(ProviderError) as caught:
        ask(wire, server, **options)
    return caught.value


def said(text: str, usage: Usage | None = None) -> list[Chunk]:
    """A reply of nothing but text, as one network read brings it."""
    return [TextDelta(text), Finished(StopReason.END_TURN, usage or Usage(input_tokens=11, output_tokens=7))]


def without_retries(chunks: list[Chunk]) -> list[Chunk]:
    """What counts: everything after the last failed attempt."""
    last = max((at for at, chunk in enumerate(chunks) if isinstance(chunk, Retrying)), default=-1)
    return chunks[last + 1 :]


def retries(chunks: list[Chunk]) -> list[Retrying]:
    return [chunk for chunk in chunks if isinstance(chunk, Retrying)]


def plain(kept: Any) -> Any:
    """A kept block as Python data, with where it stood and whose it is."""
    return kept.index, kept.wire, msgspec.json.decode(kept.block)
