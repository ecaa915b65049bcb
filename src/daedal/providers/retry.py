"""When is a failed attempt worth another, and how long do we wait? Bounded, jittered, visible, and cut short at once.

The wait before attempt n + 1 is random between zero and base · 2ⁿ⁻¹ (at most `backoff_max_s`), so that many clients
of one overloaded server do not come back together. A server that names a time gets at least that time, unless it
asks for more than a person would wait; then we give up at once and say when to come back.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.model import Chunk, Retrying
from daedal.providers.failures import Failure
from daedal.providers.settings import NetworkSettings


async def persistently(
    attempt: Callable[[], AsyncGenerator[Chunk, None]], network: NetworkSettings
) -> AsyncGenerator[Chunk, None]:
    """The chunks of the first attempt that works, with a `Retrying` between attempts. Raises ProviderError."""
    number = 0
    while True:
        number += 1
        try:
            async with aclosing(attempt()) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        except Failure as failure:
            retrying = _next(failure, number, network)
        yield retrying
        await asyncio.sleep(retrying.delay_s)


def _next(failure: Failure, number: int, network: NetworkSettings) -> Retrying:
    if not failure.retry:
        raise _error(failure, failure.advice) from failure
    asked = failure.retry_after_s or 0.0
    if asked > network.retry_after_max_s:
        raise _error(failure, say("providers.come_back", seconds=f"{asked:.0f}")) from failure
    if number >= network.attempts_max:
        raise _error(failure, say("providers.gave_up", attempts=number)) from failure
    delay_s = max(asked, _jittered(number, network))
    return Retrying(attempt=number, attempts_max=network.attempts_max, delay_s=delay_s, reason=failure.reason)


def _jittered(number: int, network: NetworkSettings) -> float:
    from random import random

    return random() * min(network.backoff_max_s, network.backoff_base_s * 2 ** min(number - 1, 60))


def _error(failure: Failure, advice: str) -> ProviderError:
    message = f"{failure.reason} · {advice}" if advice else failure.reason
    return ProviderError(message, failure.kind, status=failure.status)
