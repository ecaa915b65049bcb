"""Has a file changed that hooks watch? Tells a listener, one change at a time, from `start` until `close`.

A file is watched through its folder, so it may come, go and be replaced; a folder is watched for what lies directly in
it. What lies in a folder that is not there yet is not watched. Quick changes to one path fold into the last.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from typing import Self

PATHS_MAX = 1_000
CHANGES_MAX = 256
"""Of one moment; when a whole tree changes at once, nobody needs to hear of each leaf."""
STEP_MS = 20
DEBOUNCE_MS = 200

OnChange = Callable[[str, str], Awaitable[None]]
"""Gets the path and `change`, `add` or `unlink`; may call `start`. While it works, further changes wait and fold."""


class FileWatch:
    def __init__(self, on_change: OnChange) -> None:
        self._on_change = on_change
        self._paths: set[str] = set()
        self._folders: list[str] = []
        self._task: asyncio.Task[None] | None = None
        self._again = asyncio.Event()
        """There are new folders to watch."""
        self._ready = asyncio.Event()
        """All folders are watched, or never will be."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def paths(self) -> frozenset[str]:
        return frozenset(self._paths)

    async def start(self, paths: Iterable[str], cwd: str) -> None:
        """Also watches these, absolute or relative to `cwd`. When it returns, no later change is missed."""
        fresh = {os.path.normpath(os.path.join(cwd, path)) for path in paths if path and "\0" not in path}
        self._paths.update(sorted(fresh - self._paths)[: PATHS_MAX - len(self._paths)])
        if self._wanted() == self._folders:
            return
        self._ready.clear()
        self._again.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        # The listener runs inside the task, which looks again as soon as the listener is done.
        if asyncio.current_task() is not self._task and not self._task.done():
            await self._ready.wait()

    async def close(self) -> None:
        """Afterwards nothing is watched and nobody is told. Raises what the listener raised."""
        task, self._task = self._task, None
        self._paths.clear()
        self._folders = []
        if task is None:
            return
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    async def _run(self) -> None:
        try:
            while True:
                self._again = asyncio.Event()
                self._folders = self._wanted()
                # A watch is in place before its task first waits, and only then is this called.
                asyncio.get_running_loop().call_soon(self._ready.set)
                await self._watch(self._folders)
                await self._again.wait()
        finally:
            self._ready.set()

    async def _watch(self, folders: list[str]) -> None:
        """Until there is more to watch."""
        from watchfiles import Change, awatch  # pyright: ignore[reportUnknownVariableType]  # knows trio, we do not

        names = {Change.added: "add", Change.modified: "change", Change.deleted: "unlink"}
        if not folders:
            return
        watching = awatch(
            *folders, recursive=False, watch_filter=None, step=STEP_MS, debounce=DEBOUNCE_MS, stop_event=self._again
        )
        try:
            async for changes in watching:
                told = sorted((path, names[kind]) for kind, path in changes if self._is_watched(path))
                for path, name in told[:CHANGES_MAX]:
                    await self._on_change(path, name)
        except OSError:
            return  # A folder went away meanwhile, or the system allows no more watches.

    def _wanted(self) -> list[str]:
        return sorted({folder for path in self._paths if os.path.isdir(folder := _folder(path))})

    def _is_watched(self, path: str) -> bool:
        return path in self._paths or os.path.dirname(path) in self._paths


def _folder(path: str) -> str:
    return path if os.path.isdir(path) else os.path.dirname(path)
