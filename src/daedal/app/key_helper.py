"""Which key does the helper print that the settings name? It is asked before model calls, and believed for a while.

It runs outside all walls, as whoever keeps keys for a person must, and so counts only from where hooks do. What it
prints is a secret, on both streams, and goes nowhere but into requests.
"""

import asyncio
import os
import time
from collections.abc import Callable, Mapping

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.seams import Job, Spawner
from daedal.protocol.turns import ErrorKind
from daedal.providers import AuthSettings, Grant
from daedal.sandbox import SpawnFailed

KEY_BYTES_MAX = 65_536


class KeyHelper:
    id = "helper"

    def __init__(
        self,
        settings: AuthSettings,
        spawner: Spawner,
        learn: Callable[[str, str], None],
        *,
        vouched: Mapping[str, str],
        root: str | None,
    ) -> None:
        """`vouched` are scripts of the trusted project `root`, as they were when they were trusted."""
        self.name = say("app.source.helper")
        self._settings = settings
        self._spawner = spawner
        self._learn = learn
        self._vouched = vouched
        self._root = root
        self._key = ""
        self._good_until = 0.0
        self._alone = asyncio.Lock()  # Many threads need the key in the same moment; one helper is enough.

    def is_present(self) -> bool:
        return self._settings.api_key_helper is not None

    def detail(self) -> str:
        return say("app.source.helper_is_set" if self.is_present() else "app.source.is_not_set")

    async def grant(self) -> Grant | None:
        if self._settings.api_key_helper is None:
            return None
        async with self._alone:
            if not self._key or time.monotonic() >= self._good_until:
                await self._ask(self._settings.api_key_helper)
            return Grant(secret=self._key, travels="both", source=self.id, advice=say("app.source.helper_advice"))

    async def renew(self, refused: Grant) -> bool:
        command = self._settings.api_key_helper
        if command is None:
            return False
        async with self._alone:
            if self._key == refused.secret:
                await self._ask(command)
            return self._key != refused.secret

    async def close(self) -> None:
        pass

    async def _ask(self, command: str) -> None:
        self._key = ""
        self._check_script(command)
        job = Job(
            argv=["/bin/sh", "-c", command],
            cwd=os.getcwd(),
            env=self._spawner.environment(),
            timeout_s=self._settings.api_key_helper_timeout_s,
            output_bytes_max=KEY_BYTES_MAX,
        )
        try:
            ended = await self._spawner.run(job)
        except SpawnFailed as failure:
            raise _failed(str(failure)) from failure
        if ended.timed_out:
            raise _failed(say("app.source.helper_slow", seconds=f"{self._settings.api_key_helper_timeout_s:g}"))
        printed = ended.stdout.decode("utf-8", "replace").strip()
        if printed:
            self._learn(self.id, printed)  # Also where it is no key: it may hold one.
        if ended.exit_code:
            raise _failed(say("app.source.helper_exit", code=ended.exit_code))
        if not printed or ended.stdout_truncated or not (printed.isascii() and printed.isprintable()):
            raise _failed(say("app.source.helper_no_key"))
        self._key = printed
        self._good_until = time.monotonic() + self._settings.api_key_helper_ttl_s

    def _check_script(self, command: str) -> None:
        if not self._vouched or self._root is None:
            return
        from daedal.config import changed_script

        if changed := changed_script(self._vouched, command, self._root):
            raise _failed(say("config.trust.script_changed", path=changed))


def _failed(reason: str) -> ProviderError:
    return ProviderError(say("app.source.helper_failed", reason=reason), ErrorKind.AUTHENTICATION)
