"""Who may change the kept logins? One process at a time, however many renew the same login in the same moment.

The lock is the kernel's and ends with the process, so that one that was killed leaves none behind.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.turns import ErrorKind

WAIT_S = 90.0
"""Longer than any renewal may take."""
STEP_S = 0.05


@asynccontextmanager
async def locked(folder: str, wait_s: float = WAIT_S) -> AsyncGenerator[None]:
    """Raises ConfigurationError where the folder cannot be used, ProviderError where nobody lets go."""
    import fcntl

    path = os.path.join(folder, "lock")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ConfigurationError(say("config.unwritable", path=path, reason=error.strerror)) from error
    try:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if loop.time() >= deadline:
                    raise ProviderError(say("providers.login.locked", path=path), ErrorKind.NETWORK) from None
            await asyncio.sleep(STEP_S)
        yield
    finally:
        os.close(descriptor)
