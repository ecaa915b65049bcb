"""How is a thread's goal set, changed, checked and kept? Every change is on the record before anybody hears of it.

What to do next towards a goal is not decided here: a driver does that, as a client (`daedal.autopilot`).
"""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from msgspec.structs import replace

from daedal.engine.goal_changes import OBJECTIVE_MAX, changed, check_params, is_proved, stopped_by_person, told
from daedal.engine.kept_goal import KeptGoal, key_of, to_keep, with_spent
from daedal.engine.planning import PLANNING
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.goal_calls import (
    DueTurn,
    GoalCheckResponse,
    GoalClearResponse,
    GoalGetResponse,
    GoalReportParams,
    GoalSetParams,
    GoalSetResponse,
)
from daedal.protocol.goals import GoalCheck, GoalCleared, GoalStatus, GoalStrategy, GoalUpdated, ThreadGoal
from daedal.protocol.records import Happened, ReceiptIssued, Record, StateKept, TurnStatus
from daedal.protocol.seams import Prepared
from daedal.protocol.threads import ToolCallParams, ToolCallResponse
from daedal.protocol.turns import Turn, TurnStartParams

LIMIT = 25
"""Turns that follow the first by themselves, unless somebody says how many."""
CHECK_TIMEOUT_MS = 600_000
OUTPUT_MAX = 4_000
"""Characters of a check's output, from its end."""

CallTool = Callable[[ToolCallParams], Awaitable[ToolCallResponse]]


class GoalKeeping:
    def __init__(self, world: World, call_tool: CallTool) -> None:
        self._world = world
        self._call_tool = call_tool
        self.checking: set[str] = set()
        """Threads whose check runs right now."""

    async def set(self, thread: LoadedThread, params: GoalSetParams, *, is_busy: bool) -> GoalSetResponse:
        check_params(params)
        redact = self._world.redact
        params = replace(
            params, check=redact(params.check) if params.check else None, reason=redact(params.reason or "") or None
        )
        before = thread.goal
        if params.objective is not None:
            kept = self._begun(thread, params, self._world.redact(params.objective.strip()))
        elif before is None:
            raise UsageError(say("engine.no_goal", id=thread.id))
        else:
            kept = before
        kept = replace(kept, goal=changed(kept.goal, params, begins=params.objective is not None))
        if kept.goal.is_active and thread.terms.phase == PLANNING:
            raise UsageError(say("engine.goal_planning"))
        kept = replace(kept, limits=thread.limits)
        await self._keep(thread, kept, "goal_set")
        if kept.goal.is_active and not params.defer and not is_busy:
            self._due(thread)
        return GoalSetResponse(goal=kept.goal)

    def _begun(self, thread: LoadedThread, params: GoalSetParams, objective: str) -> KeptGoal:
        before = thread.goal
        if before is not None and before.goal.objective == objective and not before.goal.is_over:
            return before  # The same words again take it up where it was.
        spent = self._world.transcript.spent_since(thread.id, 0)
        now = int(time.time())
        goal = ThreadGoal(
            thread_id=thread.id,
            objective=objective,
            status=GoalStatus.ACTIVE,
            created_at=now,
            updated_at=now,
            limit=LIMIT,
            strategy=params.strategy or self._strategy(objective),
        )
        goal = self._equipped(goal, thread.workspace, is_wanted=params.strategy is not None)
        return KeptGoal(goal=goal, first_call=spent.last_call, tokens_seen=thread.usage.total_tokens)

    def _strategy(self, objective: str) -> GoalStrategy:
        pilot = self._world.autopilot
        return pilot.strategy_for(objective) if pilot is not None else GoalStrategy.SIMPLE

    def _equipped(self, goal: ThreadGoal, workspace: str, *, is_wanted: bool) -> ThreadGoal:
        pilot = self._world.autopilot
        try:
            return goal if pilot is None else replace(goal, state_dir=pilot.begin(goal, workspace))
        except UsageError:
            if is_wanted:
                raise
            # Nobody asked for it by name: the goal can be worked at without.
            return replace(goal, strategy=GoalStrategy.SIMPLE)

    def get(self, thread: LoadedThread) -> GoalGetResponse:
        kept = thread.goal
        if kept is None:
            return GoalGetResponse(goal=None)
        due = kept.due if kept.due is not None and kept.due.turn_id != kept.judged_turn else None
        return GoalGetResponse(goal=kept.goal, due=due, is_begun=kept.judged_turn is not None or due is not None)

    async def clear(self, thread: LoadedThread) -> GoalClearResponse:
        if thread.goal is None:
            return GoalClearResponse(cleared=False)
        gone, thread.goal = thread.goal.goal, None
        happened = Happened(event_type="goal_cleared", detail=told(gone))
        await self._commit(thread, [StateKept(key=key_of(thread.id), value=None), happened])
        await self._world.faces.emit(thread.id, GoalCleared(thread_id=thread.id))
        return GoalClearResponse(cleared=True)

    async def check(self, thread: LoadedThread) -> GoalCheckResponse:
        """Runs the check as the person's own command: judged, confined and recorded as any other."""
        kept = _goal_of(thread)
        command = kept.goal.check
        if command is None:
            raise UsageError(say("engine.goal_without_check", id=thread.id))
        call = ToolCallParams(thread_id=thread.id, tool="Bash", input={"command": command, "timeout": CHECK_TIMEOUT_MS})
        # Where the model has gone with `cd` is its own business; the person means the project.
        cwd, thread.cwd = thread.cwd, thread.workspace
        self.checking.add(thread.id)
        try:
            result = await self._call_tool(call)
        finally:
            self.checking.discard(thread.id)
            thread.cwd = cwd
        check = GoalCheck(
            command=command,
            passed=result.exit_code == 0,
            exit_code=result.exit_code,
            declined=result.exit_code is None,
            output=result.content[-OUTPUT_MAX:],
            checked_at=int(time.time()),
        )
        kept = _goal_of(thread)
        if not kept.goal.is_active:
            raise UsageError(say("engine.goal_stopped"))  # Meanwhile; the check was ended with it.
        due = kept.due.turn_id if kept.due is not None else None
        goal = replace(kept.goal, last_check=check, updated_at=check.checked_at)
        await self._keep(thread, replace(kept, goal=goal, checked_turn=due), "goal_checked")
        return GoalCheckResponse(check=check)

    async def report(self, thread: LoadedThread, params: GoalReportParams) -> GoalSetResponse:
        kept = _goal_of(thread)
        due = kept.due
        if due is None or due.turn_id != params.turn_id or kept.judged_turn == params.turn_id:
            return GoalSetResponse(goal=kept.goal)
        if not kept.goal.is_active:
            # Somebody stopped it while the driver thought; the turn is judged when it goes on.
            return GoalSetResponse(goal=kept.goal)
        if params.status is GoalStatus.COMPLETE and not is_proved(kept):
            raise UsageError(say("engine.goal_unproved", check=kept.goal.check))
        kept = self._counted(thread, kept)
        goal = replace(
            kept.goal,
            status=params.status,
            stopped_by=params.stopped_by,
            reason=params.reason,
            blocked=params.blocked,
            continuations=kept.goal.continuations + params.continues,
            time_used_seconds=kept.goal.time_used_seconds + due.duration_s,
            updated_at=int(time.time()),
        )
        kept = replace(kept, goal=goal, judged_turn=due.turn_id)
        await self._keep(thread, kept, "goal_updated", turn_id=due.turn_id)
        return GoalSetResponse(goal=goal)

    def with_words(self, thread: LoadedThread, prompt: Prepared) -> Prepared:
        """The prompt, and before it what the model shall know of the goal. The system prompt stays as it is."""
        kept, pilot = thread.goal, self._world.autopilot
        if kept is None or not kept.goal.is_active or pilot is None:
            return prompt
        return replace(prompt, attachments=[pilot.words(kept.goal), *prompt.attachments])

    async def before_turn(self, thread: LoadedThread, params: TurnStartParams, text: str) -> None:
        """A goal goes with plan mode, and an ordinary prompt may become one."""
        if thread.terms.mode == "plan" or thread.terms.phase == PLANNING:
            if params.driver:
                raise UsageError(say("engine.goal_planning"))
            await self.clear(thread)
        elif params.driver and not (thread.goal and thread.goal.goal.is_active):
            raise UsageError(say("engine.goal_stopped"))
        elif params.may_become_goal and not (thread.goal and thread.goal.goal.is_active) and self._is_worth(text):
            strategy = GoalStrategy.RESEARCH
            wanted = GoalSetParams(thread_id=thread.id, objective=text, strategy=strategy, defer=True)
            with suppress(UsageError):  # Where its state cannot be kept, the prompt stays an ordinary one.
                await self.set(thread, wanted, is_busy=True)

    def _is_worth(self, prompt: str) -> bool:
        pilot = self._world.autopilot
        return pilot is not None and len(prompt) <= OBJECTIVE_MAX and pilot.is_worth_a_goal(prompt)

    async def after_turn(self, thread: LoadedThread, turn: Turn, said: str) -> None:
        """A turn of a thread with a goal is over: the driver decides, unless the person stopped it."""
        kept = thread.goal
        if kept is None:
            return
        duration_s = round((turn.duration_ms or 0) / 1000)
        due = DueTurn(turn_id=turn.id, status=turn.status, said=said, error=turn.error, duration_s=duration_s)
        thread.goal = kept = replace(kept, due=due)
        if not kept.goal.is_active:
            return
        if turn.status is TurnStatus.INTERRUPTED:
            goal = stopped_by_person(self._counted(thread, kept).goal)
            await self._keep(thread, replace(kept, goal=goal), "goal_updated", turn_id=turn.id)
        else:
            self._due(thread)

    def _counted(self, thread: LoadedThread, kept: KeptGoal) -> KeptGoal:
        spent = self._world.transcript.spent_since(thread.id, kept.first_call)
        return with_spent(kept, spent, tokens_seen=thread.usage.total_tokens)

    def _due(self, thread: LoadedThread) -> None:
        if self._world.autopilot is not None:
            self._world.autopilot.due(thread.id)

    async def _keep(self, thread: LoadedThread, kept: KeptGoal, event: str, *, turn_id: str | None = None) -> None:
        records: list[Record] = [to_keep(kept), Happened(event_type=event, detail=told(kept.goal))]
        if event == "goal_updated" and not kept.goal.is_active:
            body = {**told(kept.goal), "checked_after": kept.checked_turn}
            principal = self._world.principal
            records.append(ReceiptIssued(kind="goal", turn_id=turn_id or "", principal=principal, body=body))
        await self._commit(thread, records)
        thread.goal = kept
        await self._world.faces.emit(thread.id, GoalUpdated(thread_id=thread.id, goal=kept.goal, turn_id=turn_id))

    async def _commit(self, thread: LoadedThread, records: list[Record]) -> None:
        """With what opens the session, where nothing of it is on the record yet."""
        unsaved = thread.unsaved
        await self._world.transcript.commit(thread.id, [*unsaved, *records])
        thread.unsaved = thread.unsaved[len(unsaved) :]


def _goal_of(thread: LoadedThread) -> KeptGoal:
    if thread.goal is None:
        raise UsageError(say("engine.no_goal", id=thread.id))
    return thread.goal
