"""How do the user's scripts hear of a thread? Events go out with the thread's scene, rows wait for the next commit.

Without hooks this is the cheapest object there is: nothing is prepared for nobody.
"""

import asyncio
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.events import Warned
from daedal.protocol.hooks import HookAnswer, HookEvent, HookScene
from daedal.protocol.judging import Hooks
from daedal.protocol.records import HookRan
from daedal.protocol.seams import Watch
from daedal.protocol.service import Faces

SILENCE = HookAnswer()


class ThreadHooks:
    """The hooks of one thread. Whoever commits next takes the rows."""

    def __init__(self, hooks: Hooks | None, faces: Faces, *, thread_id: str, conversation_id: str) -> None:
        self._hooks = hooks
        self._faces = faces
        self._thread_id = thread_id
        self._conversation_id = conversation_id
        self._rows: list[HookRan] = []
        self._one_at_a_time = asyncio.Lock()
        """Files change whenever they like; what is fired about them waits until the chain under way is over."""
        self._under_way: set[asyncio.Task[HookAnswer]] = set()
        self.stop: str | None = None
        """A hook ends the turn, for this reason (may be empty). Whoever ends it takes it."""
        self.mode: str | None = None
        self.cwd = ""
        self.agent_type: str | None = None
        """Where a sub-agent works: of which type."""
        self.watch: Watch | None = None

    def listens(self, event: HookEvent) -> bool:
        return self._hooks is not None and self._hooks.listens(event)

    async def fire(self, event: HookEvent, /, *, turn_id: str = "", **fields: Any) -> HookAnswer:
        """What the hooks say. What they have for the person is shown; what could not run is said apart."""
        if self._hooks is None or not self._hooks.listens(event):
            return SILENCE
        scene = HookScene(
            session_id=self._thread_id,
            conversation_id=self._conversation_id,
            cwd=self.cwd,
            permission_mode=self.mode,
            agent_id=self._thread_id if self.agent_type else None,
            agent_type=self.agent_type,
            turn_id=turn_id,
        )
        firing = asyncio.create_task(self._one_chain(self._hooks, event, scene, fields))
        self._under_way.add(firing)
        firing.add_done_callback(self._under_way.discard)
        answer = await firing  # cancelled with us, and by `close`
        for message in [*answer.system_messages, *(say("engine.hook_broken", what=what) for what in answer.broken)]:
            await self._faces.emit(self._thread_id, Warned(message=message, thread_id=self._thread_id))
        if answer.watch_paths and self.watch is not None:
            await self.watch.start(answer.watch_paths, self.cwd)
        return answer

    async def _one_chain(self, hooks: Hooks, event: HookEvent, scene: HookScene, fields: dict[str, Any]) -> HookAnswer:
        try:
            async with self._one_at_a_time:
                answer = await hooks.fire(event, scene, fields)
        except asyncio.CancelledError as cancelled:
            self._rows += [row for row in cancelled.args if isinstance(row, HookRan)]
            raise
        self._rows += answer.runs
        if self.stop is None:
            self.stop = answer.stop
        return answer

    async def file_changed(self, path: str, change: str) -> None:
        await self.fire(HookEvent.FILE_CHANGED, file_path=path, event=change)

    def take_rows(self) -> list[HookRan]:
        rows, self._rows = self._rows, []
        return rows

    def take_stop(self) -> str | None:
        stop, self.stop = self.stop, None
        return stop

    async def close(self) -> None:
        """Nothing is watched any more, and hooks that are still running are ended; their rows can be taken."""
        if self.watch is not None:
            await self.watch.close()
        for firing in self._under_way:
            firing.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way)
