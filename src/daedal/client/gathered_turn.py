"""What is known of one turn? Only `turn/completed` ends it: not silence, not an error, not that the thread is idle."""

from msgspec.structs import replace

from daedal.client.clipping import OUTPUT_MAX, PARTS_MAX
from daedal.client.deeds import Deeds
from daedal.client.diff_stat import DiffStat, stat_of
from daedal.client.gathered_items import GatheredItems, Growth
from daedal.client.turn_summary import Asked, Trouble, TurnSummary
from daedal.protocol.events import PlanUpdated, TokenCounts, TokenUsage, TurnTroubled
from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    ContextCompaction,
    FileChange,
    Item,
    ItemStatus,
    PlanStep,
    Reasoning,
    ReviewEntered,
    ToolCall,
)
from daedal.protocol.model import Usage
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import Turn, TurnError

DIFF_MAX = 1_000_000
TROUBLES_MAX = 20
ASKED_MAX = 200


class GatheredTurn:
    def __init__(self, thread_id: str, turn_id: str) -> None:
        self.thread_id = thread_id
        self.id = turn_id
        self.status: TurnStatus | None = None
        """None while its beginning was not heard."""
        self.error: TurnError | None = None
        self.plan: list[PlanStep] = []
        self.explanation: str | None = None
        self.troubles: list[Trouble] = []
        self.asked: dict[int | str, Asked] = {}
        self.compactions = 0
        self.model_calls = 0
        self.usage = Usage()
        self.cost_usd: float | None = None
        self.diff = ""
        self.is_folded = False
        """Its items and its patch are not kept any more; all that is summed up still is."""
        self._stat: DiffStat | None = None
        self._items = GatheredItems()
        self._deeds = Deeds()
        self._message = ""
        self._base: tuple[TokenCounts, float | None] | None = None
        self._carried: tuple[Usage, float | None] = (Usage(), None)
        self._total: TokenCounts | None = None
        self._duration_ms: int | None = None
        self._is_review = False

    @property
    def is_over(self) -> bool:
        return self.status not in (None, TurnStatus.IN_PROGRESS)

    @property
    def awaits_review(self) -> bool:
        """Codex names a review's turn twice: it is entered under this name, and begun under another."""
        return self._is_review and self.status is None

    @property
    def items(self) -> dict[str, Item]:
        """By id, as they began."""
        return self._items.all()

    def began(self, turn: Turn) -> None:
        """A turn that failed or was interrupted may be gone on with, under the same name."""
        if self.status is not TurnStatus.COMPLETED:
            self.status, self.error, self._duration_ms = TurnStatus.IN_PROGRESS, None, None
        self._take_items(turn)

    def completed(self, turn: Turn) -> None:
        self.status, self.error = turn.status, turn.error
        self._duration_ms = _duration(turn)
        self._take_items(turn)

    def told(self, turn: Turn) -> None:
        """As the server knows it: it has the record."""
        if turn.status is TurnStatus.IN_PROGRESS:
            self.began(turn)
        else:
            self.completed(turn)

    def _take_items(self, turn: Turn) -> None:
        for item in turn.items:
            is_growing = turn.status is TurnStatus.IN_PROGRESS and isinstance(item, AgentMessage | Reasoning)
            if is_growing or _is_open(item):
                self.item_began(item)
            else:
                self.item_ended(item)

    def item_began(self, item: Item) -> None:
        if self._items.is_done(item.id):
            return
        self._is_review = self._is_review or isinstance(item, ReviewEntered)
        self._deeds.began(item)
        if not self.is_folded:
            self._items.begin(item)

    def item_ended(self, item: Item) -> None:
        """Also long after the turn: a command may outlive it."""
        if not self._items.end(item):
            return
        self._is_review = self._is_review or isinstance(item, ReviewEntered)
        self._deeds.ended(item)
        if isinstance(item, AgentMessage):
            self._message = item.text
        elif isinstance(item, ContextCompaction):
            self.compactions += 1
        if self.is_folded:
            self.fold()

    def grew(self, growth: Growth) -> None:
        if not self.is_folded:
            self._items.grow(growth)

    def planned(self, event: PlanUpdated) -> None:
        self.plan, self.explanation = event.plan[:PARTS_MAX], event.explanation

    def changed(self, diff: str) -> None:
        """Each patch has all that came before, and the same one may be sent again."""
        self.diff = diff[:DIFF_MAX]
        self._stat = None
        if self.is_folded:
            self.fold()

    def troubled(self, event: TurnTroubled) -> None:
        error = event.error
        trouble = Trouble(message=error.message[:OUTPUT_MAX], kind=error.kind, will_retry=event.will_retry)
        self.troubles = [*self.troubles[1 - TROUBLES_MAX :], trouble]

    def compacted(self) -> None:
        """By a notice, which says no more than the item, where there is one."""
        self.compactions = max(self.compactions, 1)

    def ask(self, asked: Asked) -> None:
        self.asked[asked.request_id] = asked
        if len(self.asked) > ASKED_MAX:
            del self.asked[next(iter(self.asked))]

    def answered(self, request_id: int | str, answer: str) -> None:
        """The first answer counts."""
        if self.asked[request_id].answer is None:
            self.asked[request_id] = replace(self.asked[request_id], answer=answer)

    def used(self, now: TokenUsage, before: TokenUsage | None) -> None:
        """`before` is what the whole thread had used until now, as far as that is known."""
        if now.total == self._total:
            return
        if self._total is not None and now.total.total_tokens < self._total.total_tokens:
            # Another server went on with it, and counts from its own beginning.
            self._carried, self._base, before = (self.usage, self.cost_usd), None, None
        self._base = self._base or _base(now, before)
        self._total = now.total
        self.model_calls += 1
        counts, cost = self._base
        usage, spent = self._carried
        self.usage = usage.plus(_less(now.total, counts).usage())
        if now.cost_usd is not None and cost is not None:
            self.cost_usd = (spent or 0.0) + max(now.cost_usd - cost, 0.0)

    def fold(self) -> None:
        """Lets go of what is large."""
        self._stat, self.diff = self._diff_stat(), ""
        self._message = self._last_words()[-OUTPUT_MAX:]
        self.is_folded = True
        self._items.drop_all()

    def summary(self) -> TurnSummary:
        return TurnSummary(
            thread_id=self.thread_id,
            turn_id=self.id,
            status=self.status,
            error=self.error,
            message=self._last_words(),
            plan=self.plan,
            diff=self._diff_stat(),
            files=self._deeds.files,
            commands=self._deeds.commands,
            tool_calls=self._deeds.calls,
            declined=self._deeds.declined,
            model_calls=self.model_calls,
            usage=self.usage,
            cost_usd=self.cost_usd,
            troubles=self.troubles,
            approvals=list(self.asked.values()),
            compactions=self.compactions,
            duration_ms=self._duration_ms,
            items_dropped=self._items.dropped,
        )

    def _diff_stat(self) -> DiffStat:
        self._stat = stat_of(self.diff) if self._stat is None else self._stat
        return self._stat

    def _last_words(self) -> str:
        """Of a message that was cut off, what there is."""
        if self._message or self.is_folded:
            return self._message
        return next((item.text for item in reversed(self.items.values()) if isinstance(item, AgentMessage)), "")


def _is_open(item: Item) -> bool:
    return isinstance(item, CommandExecution | FileChange | ToolCall) and item.status is ItemStatus.IN_PROGRESS


def _duration(turn: Turn) -> int | None:
    if turn.duration_ms is not None or turn.started_at is None or turn.completed_at is None:
        return turn.duration_ms
    return (turn.completed_at - turn.started_at) * 1000


def _base(now: TokenUsage, before: TokenUsage | None) -> tuple[TokenCounts, float | None]:
    """What the thread had used, and what that cost, when the turn made its first call."""
    until = _less(now.total, now.last)
    if before is not None and before.total.total_tokens <= until.total_tokens:
        return before.total, before.cost_usd or 0.0
    return until, None if until.total_tokens else 0.0


def _less(counts: TokenCounts, other: TokenCounts) -> TokenCounts:
    names = TokenCounts.__struct_fields__
    return TokenCounts(**{name: max(getattr(counts, name) - getattr(other, name), 0) for name in names})
