"""Which events can a server tell, one after the other? Random stories of a thread, and what should be known at the end.

A story keeps to what servers do: one turn at a time, ended by `turn/completed` alone. Items of a turn may go on after
it, some never end, plans and patches are told again, and the thread says that it is idle while it is not.
"""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from daedal.protocol.events import (
    METHODS,
    AgentMessageDelta,
    CommandOutputDelta,
    DiffUpdated,
    Event,
    ItemCompleted,
    ItemStarted,
    PlanUpdated,
    ThreadStatusChanged,
    TokenCounts,
    TokenUsage,
    TokenUsageUpdated,
    TurnCompleted,
    TurnStarted,
    TurnTroubled,
)
from daedal.protocol.items import AgentMessage, CommandExecution, ContextCompaction, Item, ItemStatus, PlanStep
from daedal.protocol.model import Usage
from daedal.protocol.records import TurnStatus
from daedal.protocol.threads import ThreadStatus
from daedal.protocol.turns import ErrorKind, Turn, TurnError
from daedal.protocol.wire import Notification

FAILURE = TurnError(message="no", kind=ErrorKind.SERVER)
STEPS = (
    "turn",
    "end",
    "message",
    "command",
    "compaction",
    "grow",
    "grow",
    "grow",
    "finish",
    "finish",
    "plan",
    "diff",
    "usage",
    "error",
    "idle",
)


@dataclass
class Part:
    """What should be known of an item."""

    item: Item
    text: str = ""
    is_done: bool = False


@dataclass
class Told:
    """What should be known of a turn."""

    id: str
    status: TurnStatus = TurnStatus.IN_PROGRESS
    error: TurnError | None = None
    parts: dict[str, Part] = field(default_factory=dict)
    message: str | None = None
    plan: list[PlanStep] = field(default_factory=list)
    diff: str = ""
    tokens: int = 0
    calls: int = 0
    troubles: int = 0
    compactions: int = 0

    def items(self) -> dict[str, Item]:
        return {name: part.item for name, part in self.parts.items()}


class Story:
    """One thread's, as it is made up."""

    def __init__(self, thread_id: str, draw: st.DrawFn) -> None:
        self.thread_id = thread_id
        self.turns: list[Told] = []
        self.events: list[Event] = []
        self._draw = draw
        self._total = 0
        self._is_running = False

    def step(self, kind: str) -> None:
        if kind in ("turn", "message", "command", "compaction") and not self._is_running:
            self.turns.append(Told(f"{self.thread_id}-{len(self.turns)}"))
            self._is_running = True
            self._turn(TurnStarted)
        match kind:
            case "end" if self._is_running:
                self._end()
            case "grow" | "finish" if self._open():
                (self._grow if kind == "grow" else self._finish)(*self._draw(st.sampled_from(self._open())))
            case "idle":
                status = ThreadStatus(self._draw(st.sampled_from(["idle", "systemError"])))
                self.events.append(ThreadStatusChanged(thread_id=self.thread_id, status=status))
            case "message" | "command" | "compaction" if self._is_running:
                self._begin(kind)
            case "plan" | "diff" | "usage" | "error" if self.turns:
                self._tell(kind, self.turns[-1])
            case _:
                pass

    def _turn(self, kind: type[TurnStarted] | type[TurnCompleted]) -> None:
        told = self.turns[-1]
        turn = Turn(id=told.id, status=told.status, error=told.error)
        self.events.append(kind(thread_id=self.thread_id, turn=turn))

    def _end(self) -> None:
        told = self.turns[-1]
        told.status = self._draw(st.sampled_from(list(TurnStatus)[1:]))
        told.error = FAILURE if told.status is TurnStatus.FAILED else None
        self._is_running = False
        self._turn(TurnCompleted)

    def _open(self) -> list[tuple[Told, Part]]:
        """Also of the turn before: its commands may outlive it."""
        return [(turn, part) for turn in self.turns[-2:] for part in turn.parts.values() if not part.is_done]

    def _begin(self, kind: str) -> None:
        turn = self.turns[-1]
        name = f"{turn.id}-{len(turn.parts)}"
        item: Item
        match kind:
            case "message":
                item = AgentMessage(id=name, text="")
            case "command":
                item = CommandExecution(id=name, command=name, cwd="/", status=ItemStatus.IN_PROGRESS)
            case _:
                item = ContextCompaction(id=name)
        turn.parts[name] = Part(item)
        self.events.append(ItemStarted(thread_id=self.thread_id, turn_id=turn.id, item=item, started_at_ms=0))

    def _grow(self, turn: Told, part: Part) -> None:
        delta = self._draw(st.text("abc", min_size=1, max_size=3))
        where = {"thread_id": self.thread_id, "turn_id": turn.id, "item_id": part.item.id, "delta": delta}
        match part.item:
            case AgentMessage():
                part.text += delta
                part.item = AgentMessage(id=part.item.id, text=part.text)
                self.events.append(AgentMessageDelta(**where))
            case CommandExecution():
                part.text += delta
                part.item = _command(part, ItemStatus.IN_PROGRESS, None)
                self.events.append(CommandOutputDelta(**where))
            case _:
                pass

    def _finish(self, turn: Told, part: Part) -> None:
        part.is_done = True
        match part.item:
            case AgentMessage():
                turn.message = part.text
            case CommandExecution():
                code = self._draw(st.integers(0, 2))
                part.item = _command(part, ItemStatus.FAILED if code else ItemStatus.COMPLETED, code)
                turn.calls += 1
            case _:
                turn.compactions += 1
        where = {"thread_id": self.thread_id, "turn_id": turn.id}
        self.events.append(ItemCompleted(**where, item=part.item, completed_at_ms=0))

    def _tell(self, kind: str, turn: Told) -> None:
        where = {"thread_id": self.thread_id, "turn_id": turn.id}
        match kind:
            case "plan":
                turn.plan = [PlanStep(step=step, status="pending") for step in self._draw(st.text("xyz", max_size=3))]
                self.events.append(PlanUpdated(**where, plan=turn.plan))
            case "diff":
                turn.diff += self._draw(st.sampled_from(["", "diff --git a/f b/f\n@@ -1 +1 @@\n-a\n+b\n"]))
                self.events.append(DiffUpdated(**where, diff=turn.diff))
            case "error":
                turn.troubles += 1
                will_retry = self._draw(st.booleans())
                self.events.append(TurnTroubled(**where, will_retry=will_retry, error=FAILURE))
            case _:
                tokens = self._draw(st.integers(1, 9))
                turn.tokens += tokens
                self._total += tokens
                total, last = (TokenCounts.of(Usage(output_tokens=count)) for count in (self._total, tokens))
                usage = TokenUsage(total=total, last=last, cost_usd=self._total / 8)
                self.events.append(TokenUsageUpdated(**where, token_usage=usage))

    def notifications(self) -> list[Notification]:
        return [
            Notification(method=METHODS[type(event)], params=event, emitted_at_ms=0, sequence=number)
            for number, event in enumerate(self.events, 1)
        ]


def _command(part: Part, status: ItemStatus, code: int | None) -> CommandExecution:
    name, output = part.item.id, part.text or None
    return CommandExecution(id=name, command=name, cwd="/", status=status, aggregated_output=output, exit_code=code)


@st.composite
def stories(draw: st.DrawFn) -> list[Story]:
    told = [Story(name, draw) for name in ("a", "b", "c")[: draw(st.integers(1, 3))]]
    for story in told:
        for kind in draw(st.lists(st.sampled_from(STEPS), min_size=draw(st.sampled_from([0, 30])), max_size=40)):
            story.step(kind)
    return told


@st.composite
def woven(draw: st.DrawFn, told: list[Story]) -> list[Notification]:
    """All threads' events over one connection: each in its order, and some once more at any later time."""
    lines = [story.notifications() for story in told]
    out: list[Notification] = []
    while any(lines):
        out.append(draw(st.sampled_from([line for line in lines if line])).pop(0))
        if draw(st.integers(0, 4)) == 0:
            out.append(draw(st.sampled_from(out)))
    return out
