"""What happens in a turn that is planned first? The plan is handed over as text, and then it is carried out."""

from msgspec.structs import replace

from daedal.engine.limits import LimitReached
from daedal.engine.planner import handed_over
from daedal.engine.planners import Plans
from daedal.engine.recording import user_entry
from daedal.engine.thread import LoadedThread
from daedal.engine.turn import RunningTurn
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.content import Message, Role
from daedal.protocol.events import Warned
from daedal.protocol.items import UserInput, UserMessage
from daedal.protocol.records import EntryType, TurnStatus
from daedal.protocol.turns import ErrorKind


class PlannedTurn(RunningTurn):
    def __init__(
        self, thread: LoadedThread, turn_id: str, world: World, *, principal: str, planner: Plans, task: str | None
    ) -> None:
        super().__init__(thread, turn_id, world, principal=principal)
        self._planner = planner
        self._task = task
        """What the person asks for; None where the turn goes on after it was cut off."""

    async def _work(self) -> None:
        task = self._task if self._task is not None else await self._unplanned()
        if task:
            await self._plan(task)
        await super()._work()
        self._planner.outcome = self.said

    async def _unplanned(self) -> str:
        """What the person had asked for, where there is no plan for it yet."""
        entries = [one for one in await self._world.transcript.entries(self._thread.id) if one.turn_id == self.id]
        if any("plan" in one.extra or one.entry_type is EntryType.ASSISTANT for one in entries):
            return ""
        said = next((one for one in entries if one.entry_type is EntryType.USER), None)
        if said is None:
            return ""
        texts = [block["text"] for block in said.payload["content"] if block.get("type") == "text"]
        return said.extra.get("shown") or "\n\n".join(texts)

    async def _plan(self, task: str) -> None:
        self._check_limits()
        plan, ended = await self._planner.plan(task, self.id)
        if ended is not None and ended.status is not TurnStatus.COMPLETED:
            why = ended.error.message if ended.error is not None else say("engine.planner_stopped")
            if ended.error is not None and ended.error.kind is ErrorKind.BUDGET:
                raise LimitReached(why, ErrorKind.BUDGET)
            await self._emit(Warned(message=say("engine.planner_failed", why=why), thread_id=self._thread.id))
            return
        if not plan:
            return
        words = handed_over(plan, self._planner.model)
        shown = say("engine.plan_by", model=self._planner.model, plan=plan)
        entry = user_entry(self.id, words.text, shown=shown)
        await self._commit([replace(entry, extra={**entry.extra, "plan": self._planner.model})])
        self._thread.append(Message(Role.USER, [words]))
        await self._show(UserMessage(id=entry.payload["uuid"], content=[UserInput(shown)]))
