"""How does work go on until it is done? Session after session, each afresh, until there is a reason to end."""

import asyncio
import time
from datetime import UTC, datetime

from msgspec import Struct

from daedal.client import CallFailed
from daedal.delivery.auditing import ReceiptAuditor
from daedal.delivery.deliverables import Board, Status, with_status
from daedal.delivery.instructing import resolve, with_lessons
from daedal.delivery.journal import Journal, SessionEntry
from daedal.delivery.progress import DeliverableChanged, Fact, Note, SessionEnded, SessionStarted, Tell, Waiting
from daedal.delivery.quota import clock, reset_time, wait_s
from daedal.delivery.rechecking import Checked, recheck
from daedal.delivery.recorder import Recorder
from daedal.delivery.result import DeliveryResult
from daedal.delivery.session import Open, Outcome, Result, Session, Terms
from daedal.delivery.status_file import StatusFile, today
from daedal.delivery.termination import Reason, State, reason_to_end
from daedal.delivery.tool_server import served
from daedal.delivery.toolkit import Auditor, Toolkit
from daedal.delivery.tree import Tree
from daedal.delivery.workflow import Instruction, Workflow
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.turns import ErrorKind

FATAL = (ErrorKind.CONFIGURATION, ErrorKind.AUTHENTICATION, ErrorKind.LEDGER, ErrorKind.LEDGER_BUSY)
"""Nothing that a fresh session would cure."""
COUNTED = (Outcome.EXECUTION_ERROR, Outcome.NO_PROGRESS)
TICK_S = 1.0


class Plan(Struct, frozen=True, kw_only=True):
    """What a command line asks for."""

    workflow: Workflow
    terms: Terms
    model: str | None = None
    plan_model: str | None = None
    max_iterations: int | None = None
    max_retries: int = 3
    wait_for_quota: bool = False
    needs_receipts: bool = True
    max_budget_usd: float | None = None
    max_duration_s: float | None = None
    pause_s: float = 3.0


class Loop:
    """One delivery, from its start or from where an earlier one was cut off."""

    def __init__(self, plan: Plan, open_engine: Open, open_hands: Open, tell: Tell) -> None:
        """`open_hands` opens an engine that runs commands by itself: another may run those of its own model only."""
        self._plan = plan
        self._open = open_engine
        self._open_hands = open_hands
        self._told = tell
        self.stop = asyncio.Event()
        """Set it to have the delivery end in order."""
        project = plan.terms.project
        self._file = StatusFile(project)
        self._journal = Journal(project).load()
        self._recorder = Recorder()
        self._auditor = ReceiptAuditor(Tree(project), self._journal, self._recorder) if plan.needs_receipts else None
        self._verified: set[str] = set()
        self._has_planned = False
        self._is_out_of_quota = False
        self._is_out_of_budget = False
        self._iteration = 0
        self._errors = 0
        self._error = ""
        self._quota_attempts = 0
        self._cost = 0.0
        self._began = time.monotonic()
        self._session: Session | None = None
        self._changed: list[str] = []
        self._tree = Tree(project)

    async def run(self) -> DeliveryResult:
        try:
            return await self._run()
        finally:
            self._recorder.close()

    async def _run(self) -> DeliveryResult:
        self._journal.prepare()
        await self._take_up()
        reason = await self._reason()
        while reason is None:
            await self._one()
            reason = await self._reason()
            if reason is None:
                await self._pause(self._plan.pause_s)
                reason = Reason.INTERRUPTED if self.stop.is_set() else None
        self._journal.change(reason=str(reason), errors=0, status_sha256=self._file.digest())
        return self._result(reason)

    async def _take_up(self) -> None:
        """Where an earlier run was killed its counters go on; a finished one is history."""
        now = self._journal.now
        if now.status_sha256 and now.status_sha256 != self._file.digest():
            self._tell(Note(level="warning", message=say("delivery.changed_by_others", path=self._file.path)))
        command = self._plan.workflow.command
        unfinished = [one for one in now.sessions if one.number >= now.first_session]
        if now.command == command and not now.reason and unfinished:
            self._iteration = len(unfinished)
            self._errors = now.errors
            self._cost = sum(one.cost_usd for one in unfinished)
            self._tell(Note(level="info", message=say("delivery.taken_up", sessions=len(unfinished))))
            first = now.first_session
        else:
            first = max((one.number for one in now.sessions), default=0) + 1
        if command == "sync" == now.command and now.reason != Reason.ALL_VERIFIED and now.tree == await self._digest():
            self._verified, self._has_planned = set(now.verified), now.has_planned
        self._journal.change(command=command, reason="", first_session=first, status_sha256="")

    async def _digest(self) -> str:
        return (await asyncio.to_thread(self._tree.look)).digest

    async def _reason(self) -> Reason | None:
        board = self._file.read()
        plan = self._plan
        state = State(
            command=plan.workflow.command,
            board=board,
            iteration=self._iteration,
            is_interrupted=self.stop.is_set(),
            is_out_of_quota=self._is_out_of_quota,
            verified=self._verified,
            has_planned=self._has_planned,
            max_iterations=plan.max_iterations,
            errors=self._errors,
            max_retries=plan.max_retries,
            is_out_of_budget=self._is_out_of_budget or self._budget_left() == 0.0,
            is_out_of_time=self._time_left() == 0.0,
        )
        reason = reason_to_end(state)
        if reason is Reason.ALL_PASSED and board is not None and not await self._holds(board):
            return Reason.INTERRUPTED if self.stop.is_set() else await self._reason()
        return reason

    async def _holds(self, board: Board) -> bool:
        """Whether everything that passed passes still; what does not goes back to pending."""
        if self._auditor is None:
            return True
        stale = await self._auditor.stale(board)
        if not stale:
            return True
        for one in stale:
            self._tell(DeliverableChanged(id=one.id, description=one.description, change="stale"))
        proofs = self._journal.now.proofs
        checked = await recheck(self._open_hands, self._plan.terms, [(one, proofs[one.id]) for one in stale], self.stop)
        if not checked:
            return False
        failed = [one for one in checked if one.failure]
        for one in checked:
            if not one.failure:
                await self._auditor.confirmed(one.deliverable, one.ran)
        self._put_back(failed)
        return not failed

    def _put_back(self, failed: list[Checked]) -> None:
        board = self._file.read()
        for one in failed:
            if board is None:
                return
            board = with_status(board, one.deliverable.id, Status.PENDING, today())
            self._file.write(board)
            self._journal.unproved(one.deliverable.id)
            self._journal.learned(f"{one.deliverable.id} had passed and is broken by a later edit: {one.failure}")
            self._tell(
                DeliverableChanged(id=one.deliverable.id, description=one.deliverable.description, change="pending")
            )

    async def _one(self) -> None:
        """One session, and what follows from how it ended."""
        number = max((one.number for one in self._journal.now.sessions), default=0) + 1
        instruction = self._instruction()
        is_planning = self._plan.workflow.plans(instruction)
        model = self._plan.plan_model if is_planning else self._plan.model
        entry = SessionEntry(number=number, instruction=instruction, model=model or "", started_at=time.time())
        self._journal.entered(entry)
        self._changed = []
        self._tell(SessionStarted(number=number, instruction=instruction, model=model or ""))
        before = await self._digest()
        result = await self._guarded(instruction, model)
        is_idle = not self._changed and await self._digest() == before
        self._iteration += 1
        self._cost += result.cost_usd
        if is_planning:
            result = self._planned(result)
        self._journal.entered(
            SessionEntry(
                number=number,
                instruction=instruction,
                model=model or "",
                thread_id=result.thread_id,
                outcome=str(result.outcome),
                started_at=entry.started_at,
                duration_s=result.duration_s,
                cost_usd=result.cost_usd,
                changed=list(dict.fromkeys(self._changed)),
            )
        )
        self._tell(
            SessionEnded(
                number=number,
                outcome=str(result.outcome),
                thread_id=result.thread_id,
                cost_usd=result.cost_usd,
                duration_s=result.duration_s,
                detail=result.detail,
            )
        )
        await self._judge(number, instruction, result, is_idle=is_idle)

    def _instruction(self) -> Instruction:
        workflow = self._plan.workflow
        if workflow.command == "sync":
            return workflow.select(is_first=not self._has_planned)
        board = self._file.read()
        return workflow.select(is_first=board is None or not board.deliverables)

    async def _guarded(self, instruction: Instruction, model: str | None) -> Result:
        """However a session breaks, it is one that failed; only what no session can cure goes further."""
        began = time.monotonic()
        try:
            return await self._session_of(instruction, model)
        except (CallFailed, DaedalError) as failure:
            if failure.kind in FATAL:
                raise
            why = str(failure)
        except (OSError, RuntimeError) as failure:
            why = f"{type(failure).__name__}: {failure}"
        return Result(outcome=Outcome.EXECUTION_ERROR, detail=why, duration_s=time.monotonic() - began)

    async def _session_of(self, instruction: Instruction, model: str | None) -> Result:
        text = with_lessons(resolve(self._plan.terms.project, instruction), self._journal.now.lessons)
        toolkit = Toolkit(
            instruction,
            self._file,
            auditor=self._auditor or Auditor(),
            verified=self._verified,
            tell=self._tell,
            recorder=self._recorder,
        )
        if self._auditor is not None:
            await self._auditor.begin()
        self._session = session = Session(self._plan.terms, self._auditor, self._tell, self.stop, self._recorder.at)
        try:
            async with served(toolkit) as server:
                return await session.run(
                    self._open,
                    text,
                    model=model,
                    server=server,
                    budget_usd=self._budget_left(),
                    time_left_s=self._time_left(),
                )
        finally:
            self._session = None

    def _planned(self, result: Result) -> Result:
        """A planning session that leaves nothing to do has failed, whatever it says."""
        board = self._file.read()
        if result.outcome is not Outcome.COMPLETED:
            return result
        if board is not None and board.active():
            self._has_planned = True
            return result
        return Result(
            outcome=Outcome.NO_PROGRESS,
            thread_id=result.thread_id,
            detail=say("delivery.planned_nothing"),
            cost_usd=result.cost_usd,
            duration_s=result.duration_s,
        )

    async def _judge(self, number: int, instruction: Instruction, result: Result, *, is_idle: bool) -> None:
        outcome = result.outcome
        if outcome is Outcome.QUOTA_EXCEEDED:
            await self._out_of_quota(result.detail)
            return
        self._quota_attempts = 0
        if outcome is Outcome.BUDGET_EXCEEDED:
            self._is_out_of_budget = True
        elif outcome in (Outcome.COMPLETED, Outcome.MAX_STEPS) and is_idle:
            outcome = Outcome.NO_PROGRESS
            result = Result(outcome=outcome, detail=say("delivery.changed_nothing"), failures=result.failures)
        if outcome in COUNTED:
            self._errors += 1
            self._error = result.detail
            retries = self._plan.max_retries
            self._tell(
                Note(
                    level="warning",
                    message=say("delivery.failed", why=result.detail, errors=self._errors, retries=retries),
                )
            )
        elif outcome in (Outcome.COMPLETED, Outcome.MAX_STEPS):
            self._errors = 0
        if outcome in (*COUNTED, Outcome.MAX_STEPS):
            tried = "; ".join(result.failures)
            self._journal.learned(
                f"Session {number} ({instruction}) came to nothing: {result.detail}"
                + (f" Before: {tried}" if tried else "")
            )
        verified = sorted(self._verified)
        tree = await self._digest() if self._plan.workflow.command == "sync" else ""
        self._journal.change(errors=self._errors, verified=verified, has_planned=self._has_planned, tree=tree)

    async def _out_of_quota(self, message: str) -> None:
        if not self._plan.wait_for_quota:
            self._is_out_of_quota = True
            return
        now = datetime.now(UTC)
        reset = reset_time(message, now)
        seconds = wait_s(reset, now, attempt=self._quota_attempts)
        self._quota_attempts += 1
        until = time.monotonic() + seconds
        shown = clock(reset) if reset else ""
        left = seconds
        while left > 0 and not self.stop.is_set() and self._time_left() != 0.0:
            self._tell(Waiting(remaining_s=left, resets_at=shown))
            await self._pause(min(TICK_S, left))
            left = until - time.monotonic()

    async def _pause(self, seconds: float) -> None:
        """Ends at once when told to stop."""
        try:
            async with asyncio.timeout(seconds):
                await self.stop.wait()
        except TimeoutError:
            pass

    def _budget_left(self) -> float | None:
        budget = self._plan.max_budget_usd
        return None if budget is None else max(0.0, budget - self._cost)

    def _time_left(self) -> float | None:
        limit = self._plan.max_duration_s
        return None if limit is None else max(0.0, limit - (time.monotonic() - self._began))

    def _tell(self, fact: Fact) -> None:
        if isinstance(fact, DeliverableChanged):
            self._changed.append(fact.id)
            if self._session is not None:
                self._session.progressed()
        self._told(fact)

    def _result(self, reason: Reason) -> DeliveryResult:
        board = self._file.read()
        active = board.active() if board else []
        return DeliveryResult(
            success=reason.is_success,
            reason=reason,
            command=self._plan.workflow.command,
            iterations=self._iteration,
            passed=board.count(Status.PASSED) if board else 0,
            total=len(active),
            blocked=board.count(Status.BLOCKED) if board else 0,
            verified=sum(one.id in self._verified for one in active),
            total_to_verify=len(active),
            duration_s=time.monotonic() - self._began,
            cost_usd=self._cost,
            interrupted=reason is Reason.INTERRUPTED,
            quota_exceeded=reason is Reason.QUOTA_EXCEEDED,
            error=self._error if reason is Reason.MAX_RETRIES else None,
            max_iterations=self._plan.max_iterations,
        )
