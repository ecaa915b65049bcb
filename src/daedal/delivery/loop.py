"""How does work go on until it is done? Session after session, each afresh, until there is a reason to end."""

import asyncio

from daedal.delivery.auditing import ReceiptAuditor
from daedal.delivery.board_keeper import BoardKeeper
from daedal.delivery.deliverables import Status
from daedal.delivery.journal import Journal
from daedal.delivery.judging import Judge
from daedal.delivery.plan import Plan
from daedal.delivery.progress import Note, Tell
from daedal.delivery.recorder import Recorder
from daedal.delivery.result import DeliveryResult
from daedal.delivery.reviewing import Reviewer
from daedal.delivery.session import Open
from daedal.delivery.staging import Stage
from daedal.delivery.tally import Tally
from daedal.delivery.termination import Reason, State, reason_to_end
from daedal.delivery.tree import Tree
from daedal.delivery.waiting import QuotaWait, pause
from daedal.protocol.catalogue import say

AT_ONCE = (Reason.INTERRUPTED, Reason.DURATION)
"""Whoever wants it to end now does not wait for a last look; what is stale is shown as such."""


class Loop:
    """One delivery, from its start or from where an earlier one was cut off."""

    def __init__(self, plan: Plan, open_engine: Open, open_hands: Open, tell: Tell) -> None:
        """`open_hands` opens an engine that runs commands by itself: another may run those of its own model only."""
        project = plan.terms.project
        self.stop = asyncio.Event()
        """Set it to have the delivery end in order."""
        self._plan = plan
        self._tell = tell
        self._tree = Tree(project)
        self._journal = journal = Journal(project).load()
        self._file = file = BoardKeeper(project, journal, tell)
        self._tally = tally = Tally(plan)
        self._recorder = recorder = Recorder()
        auditor = ReceiptAuditor(self._tree, journal, recorder) if plan.needs_receipts else None
        self._reviewer = auditor and Reviewer(
            plan.terms,
            open_hands=open_hands,
            file=file,
            journal=journal,
            auditor=auditor,
            tell=tell,
            stop=self.stop,
        )
        self._stage = Stage(
            plan,
            open_engine,
            file=file,
            journal=journal,
            tally=tally,
            tree=self._tree,
            auditor=auditor,
            recorder=recorder,
            tell=tell,
            stop=self.stop,
        )
        self._judge = Judge(plan, tally=tally, journal=journal, tell=tell, quota=QuotaWait(tally, tell, self.stop))

    async def run(self) -> DeliveryResult:
        try:
            return await self._run()
        finally:
            self._recorder.close()

    async def _run(self) -> DeliveryResult:
        self._journal.prepare()
        self._file.begin()
        await self._take_up()
        reason = await self._reason()
        while reason is None:
            await self._judge.judge(await self._stage.play())
            reason = await self._reason()
            if reason is None:
                await pause(self._plan.pause_s, self.stop)
                reason = Reason.INTERRUPTED if self.stop.is_set() else None
        if reason not in AT_ONCE:
            await self._holds()
        self._journal.change(reason=str(reason), errors=0)
        return self._result(reason)

    async def _take_up(self) -> None:
        now = self._journal.now
        command = self._plan.workflow.command
        sessions = self._tally.take_up(now)
        if sessions:
            self._tell(Note(level="info", message=say("delivery.taken_up", sessions=sessions)))
            first = now.first_session
        else:
            first = max((one.number for one in now.sessions), default=0) + 1
        tree = (await asyncio.to_thread(self._tree.look)).digest if command == "sync" else ""
        if command == "sync" == now.command and now.reason != Reason.ALL_VERIFIED and now.tree == tree:
            self._tally.verified, self._tally.has_planned = set(now.verified), now.has_planned
        self._journal.change(
            command=command,
            reason="",
            first_session=first,
            tree=tree,
            verified=sorted(self._tally.verified),
            has_planned=self._tally.has_planned,
        )

    async def _reason(self) -> Reason | None:
        reason = self._reason_now()
        while reason is Reason.ALL_PASSED and not await self._holds():
            # What broke is pending now, so there is more to do; unless nobody knows what broke.
            if self._tally.time_left() == 0.0:
                return Reason.DURATION
            reason = self._reason_now()
        return reason

    def _reason_now(self) -> Reason | None:
        tally = self._tally
        return reason_to_end(
            State(
                command=self._plan.workflow.command,
                board=self._file.read(),
                iteration=tally.iterations,
                is_interrupted=self.stop.is_set(),
                is_out_of_quota=tally.is_out_of_quota,
                verified=tally.verified,
                has_planned=tally.has_planned,
                max_iterations=self._plan.max_iterations,
                errors=tally.errors,
                max_retries=self._plan.max_retries,
                is_out_of_budget=tally.is_out_of_budget or tally.budget_left() == 0.0,
                is_out_of_time=tally.time_left() == 0.0,
            )
        )

    async def _holds(self) -> bool:
        """`sync` looks at everything anyway."""
        if self._reviewer is None or self._plan.workflow.command == "sync":
            return True
        return await self._reviewer.holds(time_left_s=self._tally.time_left())

    def _result(self, reason: Reason) -> DeliveryResult:
        board, tally = self._file.read(), self._tally
        active = board.active() if board else []
        return DeliveryResult(
            success=reason.is_success,
            reason=reason,
            command=self._plan.workflow.command,
            iterations=tally.iterations,
            passed=board.count(Status.PASSED) if board else 0,
            total=len(active),
            blocked=board.count(Status.BLOCKED) if board else 0,
            verified=sum(one.id in tally.verified for one in active),
            total_to_verify=len(active),
            duration_s=tally.duration_s,
            cost_usd=tally.cost_usd,
            interrupted=reason is Reason.INTERRUPTED,
            quota_exceeded=reason is Reason.QUOTA_EXCEEDED,
            error=tally.error if reason is Reason.MAX_RETRIES else None,
            max_iterations=self._plan.max_iterations,
        )
