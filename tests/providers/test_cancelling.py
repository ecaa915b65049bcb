"""What happens when nobody wants the reply any more? It ends at once, and the server sees the connection close."""

import asyncio

import pytest

from daedal.protocol.model import Retrying
from daedal.providers import NetworkSettings
from tests.providers.asking import chunks_of, every_wire, opened, provider_at, run, said, user
from tests.toolbox.model_server import ModelServer, fail, say, stall


@every_wire
@pytest.mark.parametrize("after", [-1, 0, 3])
def test_a_cancelled_call_closes_its_connection_in_every_phase(wire: str, after: int):
    async def scenario(server: ModelServer) -> None:
        provider = provider_at(wire, server.url)
        call = asyncio.create_task(chunks_of(opened(provider, user("Hi.")).stream()))
        await asyncio.to_thread(server.wait_for_stall)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.to_thread(server.wait_for_hang_ups)
        assert await chunks_of(opened(provider, user("Hi.")).stream()) == said("Still here.")
        await provider.close()

    with ModelServer([stall(after), say("Still here.")]) as server:
        run(scenario(server))


def test_a_cancelled_wait_between_attempts_ends_at_once():
    async def scenario(server: ModelServer) -> None:
        provider = provider_at("chat", server.url, NetworkSettings(backoff_base_s=600, backoff_max_s=600))
        waiting = asyncio.Event()

        async def asking() -> None:
            async for chunk in opened(provider, user("Hi.")).stream():
                assert isinstance(chunk, Retrying)
                waiting.set()

        call = asyncio.create_task(asking())
        await waiting.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await provider.close()

    with ModelServer([fail(500, retry_after="60")]) as server:
        run(scenario(server))
        assert len(server.requests) == 1


def test_a_stream_that_is_left_half_read_closes_its_connection():
    async def scenario(server: ModelServer) -> None:
        provider = provider_at("anthropic", server.url)
        stream = opened(provider, user("Hi.")).stream()
        await anext(stream)
        await stream.aclose()
        await asyncio.to_thread(server.wait_for_hang_ups)
        await provider.close()

    with ModelServer([stall(5)]) as server:
        run(scenario(server))
