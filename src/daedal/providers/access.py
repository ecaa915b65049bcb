"""Who opens an endpoint whose credential is not simply a variable? Asked before each request, and after a refusal.

Where a variable holds the credential nothing of this is loaded: then it never changes while the process lives.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Literal, Protocol

from msgspec import Struct

from daedal.protocol.model import Chunk
from daedal.providers.failures import Failure


class Grant(Struct, frozen=True, kw_only=True):
    """A credential for one request."""

    secret: str
    travels: Literal["bearer", "key", "both"]
    """As `Authorization: Bearer`, as `x-api-key`, or as both where nobody can know which one it is."""
    source: str
    """Which source it came from, by its id."""
    advice: str
    """What a person can do where it is refused all the same."""


class Access(Protocol):
    async def grant(self) -> Grant:
        """A credential that is good as far as can be told. Raises DaedalError."""
        ...

    async def renew(self, refused: Grant) -> bool:
        """After a server refused it. Whether asking again is worth it. Raises DaedalError."""
        ...

    async def close(self) -> None: ...


Attempt = Callable[[Grant], AsyncGenerator[Chunk, None]]


async def granted(access: Access, attempt: Attempt) -> AsyncGenerator[Chunk, None]:
    """One attempt, and a second one with another credential where the first was refused. Raises Failure."""
    grant = await access.grant()
    try:
        async with aclosing(attempt(grant)) as chunks:
            async for chunk in chunks:
                yield chunk
        return
    except Failure as failure:
        if failure.status != 401:
            raise
        if not await access.renew(grant):
            raise _advised(failure, grant) from failure
    grant = await access.grant()
    try:
        async with aclosing(attempt(grant)) as chunks:
            async for chunk in chunks:
                yield chunk
    except Failure as failure:
        raise failure if failure.status != 401 else _advised(failure, grant) from failure


def _advised(failure: Failure, grant: Grant) -> Failure:
    return Failure(failure.reason, failure.kind, retry=False, advice=grant.advice, status=failure.status)
