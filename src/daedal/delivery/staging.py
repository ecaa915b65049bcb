"""How is one session set up, and what is kept of it? Its instruction, tools and model, and its line in the journal."""

import asyncio
import time

from msgspec import Struct
from msgspec.structs import replace

from daedal.client import CallFailed
from daedal.delivery.auditing import ReceiptAuditor
from daedal.delivery.instructing import resolve, with_lessons
from daedal.delivery.journal import Journal, SessionEntry
from daedal.delivery.plan import Plan
from daedal.delivery.progress import DeliverableChanged, Fact, SessionEnded, SessionStarted, Tell
from daedal.delivery.recorder import Recorder
from daedal.delivery.session import Open, Outcome, Result, Session
from daedal.delivery.status_file import StatusFile
from daedal.delivery.tally import Tally
from daedal.delivery.tool_server import served
from daedal.delivery.toolkit import Auditor, Toolkit
from daedal.delivery.tree import Tree
from daedal.delivery.workflow import Instruction
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.turns import ErrorKind

FATAL = (ErrorKind.CONFIGURATION, ErrorKind.AUTHENTICATION, ErrorKind.LEDGER, ErrorKind.LEDGER_BUSY)
"""Nothing that a fresh session would cure."""


class Played(Struct, frozen=True, kw_only=True):
    """A session that is over."""

    number: int
    instruction: Instruction
    result: Result
    has_touched: bool
    """Whether files of the project are different now."""
    has_changed: bool
    """Whether a deliverable is."""


class Stage:
    """Where one session after the other is played, each with everything afresh."""

    def __init__(
        self,
        plan: Plan,
        open_engine: Open,
        *,
        file: StatusFile,
        journal: Journal,
        tally: Tally,
        tree: Tree,
        auditor: ReceiptAuditor | None,
        recorder: Recorder,
        tell: Tell,
        stop: asyncio.Event,
    ) -> None:
        self._plan = plan
        self._open = open_engine
        self._file = file
        self._journal = journal
        self._tally = tally
        self._tree = tree
        self._auditor = auditor
        self._recorder = recorder
        self._told = tell
        self._stop = stop
        self._session: Session | None = None
        self._entry = SessionEntry(number=0, instruction="")

    async def play(self) -> Played:
        """Raises CallFailed or DaedalError where no further session would get anywhere."""
        number = max((one.number for one in self._journal.now.sessions), default=0) + 1
        instruction = self._instruction()
        is_planning = self._plan.workflow.plans(instruction)
        model = self._plan.plan_model if is_planning else self._plan.model
        self._enter(
            SessionEntry(number=number, instruction=instruction, model=model or "", started_at=time.time()),
        )
        self._tally.iterations += 1
        self._told(SessionStarted(number=number, instruction=instruction, model=model or ""))
        before = await self._digest()
        result = await self._guarded(instruction, model)
        if is_planning:
            result = self._planned(result)
        self._tally.cost_usd += result.cost_usd
        self._enter(
            replace(
                self._entry,
                thread_id=result.thread_id,
                outcome=str(result.outcome),
                duration_s=result.duration_s,
                cost_usd=result.cost_usd,
            )
        )
        self._told(
            SessionEnded(
                number=number,
                outcome=str(result.outcome),
                thread_id=result.thread_id,
                cost_usd=result.cost_usd,
                duration_s=result.duration_s,
                detail=result.detail,
            )
        )
        return Played(
            number=number,
            instruction=instruction,
            result=result,
            has_touched=await self._digest() != before,
            has_changed=bool(self._entry.changed),
        )

    def _instruction(self) -> Instruction:
        workflow = self._plan.workflow
        if workflow.command == "sync":
            return workflow.select(is_first=not self._tally.has_planned)
        board = self._file.read()
        return workflow.select(is_first=board is None or not board.deliverables)

    async def _guarded(self, instruction: Instruction, model: str | None) -> Result:
        """However a session breaks, it is one that failed; only what no session can cure goes further."""
        began = time.monotonic()
        try:
            return await self._play(instruction, model)
        except (CallFailed, DaedalError) as failure:
            if failure.kind in FATAL:
                raise
            why = str(failure)
        except (OSError, RuntimeError) as failure:
            why = f"{type(failure).__name__}: {failure}"
        finally:
            self._session = None
        return Result(
            outcome=Outcome.EXECUTION_ERROR,
            detail=why,
            cost_usd=self._entry.cost_usd,
            duration_s=time.monotonic() - began,
        )

    async def _play(self, instruction: Instruction, model: str | None) -> Result:
        text = with_lessons(resolve(self._plan.terms.project, instruction), self._journal.now.lessons)
        toolkit = Toolkit(
            instruction,
            self._file,
            auditor=self._auditor or Auditor(),
            verified=self._tally.verified,
            tell=self._tell,
            recorder=self._recorder,
        )
        if self._auditor is not None:
            await self._auditor.begin()
        session = Session(
            self._plan.terms, self._auditor, self._told, self._stop, on_opened=self._opened, on_spent=self._spent
        )
        self._session = session
        async with served(toolkit) as server:
            return await session.run(
                self._open,
                text,
                model=model,
                server=server,
                budget_usd=self._tally.budget_left(),
                time_left_s=self._tally.time_left(),
            )

    def _planned(self, result: Result) -> Result:
        """A planning session that leaves nothing to do has failed, whatever it says."""
        if result.outcome is not Outcome.COMPLETED:
            return result
        board = self._file.read()
        if board is not None and board.active():
            self._tally.has_planned = True
            return result
        return replace(result, outcome=Outcome.NO_PROGRESS, detail=say("delivery.planned_nothing"))

    # What happens while it is played goes into the journal at once: a killed run counts on with it.

    def _opened(self, thread_id: str, turn_id: str) -> None:
        self._recorder.at(thread_id, turn_id)
        if self._entry.thread_id != thread_id:
            self._enter(replace(self._entry, thread_id=thread_id))

    def _spent(self, cost_usd: float) -> None:
        self._enter(replace(self._entry, cost_usd=cost_usd))

    def _tell(self, fact: Fact) -> None:
        if isinstance(fact, DeliverableChanged):
            if fact.id not in self._entry.changed:
                self._enter(replace(self._entry, changed=[*self._entry.changed, fact.id]))
            if fact.change == "verified":
                self._journal.change(verified=sorted(self._tally.verified))
            if self._session is not None:
                self._session.progressed()
        self._told(fact)

    def _enter(self, entry: SessionEntry) -> None:
        self._entry = entry
        self._journal.entered(entry)

    async def _digest(self) -> str:
        return (await asyncio.to_thread(self._tree.look)).digest
