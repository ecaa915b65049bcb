"""How does a sub-agent work? A thread of its own for one turn, beside its siblings, and a report at the end.

Its session, calls and verdicts are on the record like anybody's. It works on the parent's terms and from the parent's
budget; interrupted with the parent's turn, it leaves nothing running.
"""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.delegation import Delegation
from daedal.engine.greeting import Said
from daedal.engine.helping_turn import run_to_its_end
from daedal.engine.loading import Loader
from daedal.engine.thread import LoadedThread
from daedal.engine.turn import RunningTurn
from daedal.engine.views import loaded_view
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.events import ThreadStarted
from daedal.protocol.hooks import HookEvent
from daedal.protocol.ids import new_id
from daedal.protocol.items import UserInput, UserMessage
from daedal.protocol.model import Usage
from daedal.protocol.records import Record, TurnStatus
from daedal.protocol.threads import ThreadStatus
from daedal.protocol.turns import Turn

AT_ONCE_MAX = 8
"""More sub-agents than this wait for their turn: each holds a connection, and maybe processes."""


class Report(Struct, frozen=True, kw_only=True):
    """What a sub-agent came back with."""

    agent_id: str
    text: str
    error: str | None
    usage: Usage
    cost_usd: float | None
    steps: int
    kept: str | None = None
    """The worktree, where there are changes in it."""


class Delegating:
    def __init__(
        self,
        world: World,
        loader: Loader,
        adopt: Callable[[LoadedThread], None],
        let_go: Callable[[LoadedThread], Awaitable[None]],
    ) -> None:
        self._adopt = adopt
        self._world = world
        self._loader = loader
        self._let_go = let_go
        self._places = asyncio.Semaphore(AT_ONCE_MAX)

    async def run(self, parent: LoadedThread, delegation: Delegation) -> Report:
        """Raises DaedalError where the sub-agent cannot even begin."""
        if parent.parent is not None:
            raise UsageError(say("engine.nested"))
        async with self._places:
            if not delegation.is_isolated:
                return await self._work(parent, delegation, parent.workspace)
            tree = await self._worktree(parent, delegation)
            try:
                report = await self._work(parent, delegation, tree)
            finally:
                kept = await self._tidy(parent, tree)
            return replace(report, kept=kept)

    async def _work(self, parent: LoadedThread, delegation: Delegation, workspace: str) -> Report:
        child = await self._loader.child(parent, delegation, workspace)
        parent.children.append(child)
        self._adopt(child)
        try:
            await self._world.faces.emit(
                child.id, ThreadStarted(thread=loaded_view(child, ThreadStatus("idle")).thread)
            )
            started = await parent.hooks.fire(HookEvent.SUBAGENT_START, agent_id=child.id, agent_type=delegation.type)
            turn = RunningTurn(child, new_id(), self._world, principal=child.terms.principal)
            said = Said(
                text=delegation.prompt, shown=delegation.prompt, attachments=[], notes=started.additional_context
            )
            task = {"task_id": child.id, "task_subject": delegation.description, "task_description": delegation.prompt}
            await parent.hooks.fire(HookEvent.TASK_CREATED, **task)
            ended = await self._turn(child, turn, said)
            await parent.hooks.fire(HookEvent.TASK_COMPLETED, **task)
            return Report(
                agent_id=child.id,
                text=turn.said,
                error=_trouble(ended),
                usage=child.usage,
                cost_usd=child.cost_usd,
                steps=turn.steps,
            )
        finally:
            parent.children.remove(child)
            await self._let_go(child)

    async def _turn(self, child: LoadedThread, turn: RunningTurn, said: Said) -> Turn:
        prompt: list[Record] = recording.prompt(turn.id, child.terms.principal, said)
        await self._world.transcript.commit(child.id, [*child.unsaved, *child.hooks.take_rows(), *prompt])
        child.unsaved = []
        child.append(said.message())
        return await run_to_its_end(turn, UserMessage(id=new_id(), content=[UserInput(said.shown)]))

    async def _worktree(self, parent: LoadedThread, delegation: Delegation) -> str:
        name = f"{delegation.type}-{new_id()[-8:]}"
        answer = await parent.hooks.fire(HookEvent.WORKTREE_CREATE, name=name)
        return answer.worktree_path or await self._world.worktrees.create(parent.workspace, name)

    async def _tidy(self, parent: LoadedThread, tree: str) -> str | None:
        """Removes a worktree in which nothing changed; says where it is otherwise."""
        if not await self._world.worktrees.remove(parent.workspace, tree):
            return tree
        await parent.hooks.fire(HookEvent.WORKTREE_REMOVE, worktree_path=tree)
        return None


def _trouble(ended: Turn) -> str | None:
    if ended.error is not None:
        return ended.error.message
    return None if ended.status is TurnStatus.COMPLETED else "it was stopped"
