"""What follows from how a session ended? A count of failures, a lesson for the next one, a wait, or the end."""

from daedal.delivery.journal import Journal
from daedal.delivery.plan import Plan
from daedal.delivery.progress import Note, Tell
from daedal.delivery.session import Outcome
from daedal.delivery.staging import Played
from daedal.delivery.tally import Tally
from daedal.delivery.waiting import QuotaWait
from daedal.protocol.catalogue import say

FAILED = (Outcome.EXECUTION_ERROR, Outcome.NO_PROGRESS)
ENDED = (Outcome.COMPLETED, Outcome.MAX_STEPS)


class Judge:
    def __init__(self, plan: Plan, *, tally: Tally, journal: Journal, tell: Tell, quota: QuotaWait) -> None:
        self._plan = plan
        self._tally = tally
        self._journal = journal
        self._tell = tell
        self._quota = quota

    async def judge(self, played: Played) -> None:
        result = played.result
        if self._plan.workflow.command == "sync" and played.has_touched:
            self._tell(Note(level="warning", message=say("delivery.touched")))
        if result.outcome is Outcome.QUOTA_EXCEEDED:
            if self._plan.wait_for_quota:
                await self._quota.pass_by(result.detail, result.resets_at)
            else:
                self._tally.is_out_of_quota = True
            return
        self._quota.over()
        if result.outcome is Outcome.BUDGET_EXCEEDED:
            self._tally.is_out_of_budget = True
        self._count(played)
        self._journal.change(errors=self._tally.errors, has_planned=self._tally.has_planned)

    def _count(self, played: Played) -> None:
        result = played.result
        is_planned = result.outcome is Outcome.COMPLETED and self._plan.workflow.plans(played.instruction)
        is_idle = result.outcome in ENDED and not (is_planned or played.has_changed or played.has_touched)
        if result.outcome in FAILED or is_idle:
            why = say("delivery.changed_nothing") if is_idle else result.detail
            self._tally.errors += 1
            self._tally.error = why
            self._warn(why)
            self._learn(played, why)
        elif result.outcome in ENDED:
            self._tally.errors = 0
            if result.outcome is Outcome.MAX_STEPS or (result.failures and not played.has_changed):
                self._learn(played, result.detail or "no deliverable was finished.")

    def _warn(self, why: str) -> None:
        words = say("delivery.failed", why=why, errors=self._tally.errors, retries=self._plan.max_retries)
        self._tell(Note(level="warning", message=words))

    def _learn(self, played: Played, why: str) -> None:
        tried = "; ".join(played.result.failures)
        self._journal.learned(
            f"Session {played.number} ({played.instruction}) came to nothing: {why}"
            + (f" Before: {tried}" if tried else "")
        )
