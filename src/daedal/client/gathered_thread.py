"""What is known of one thread? Its turns, and what holds beyond them: settings, goal, usage, what waits for answers."""

from typing import Any, cast

from msgspec import Struct

from daedal.client.gathered_turn import GatheredTurn
from daedal.client.turn_summary import Asked
from daedal.protocol.events import TokenUsage
from daedal.protocol.goals import ThreadGoal
from daedal.protocol.records import TurnStatus
from daedal.protocol.threads import Seen, Thread, ThreadStatus
from daedal.protocol.turns import Turn

TURNS_WHOLE_MAX = 2
"""So many turns have their items: the last one, and the one before, about which something may still come."""
TURNS_MAX = 20
"""Of so many there is at least a summary."""
WARNINGS_MAX = 20


class Settings(Struct, frozen=True, kw_only=True, rename="camel"):
    """What every app-server says of a thread's settings."""

    model: str = ""
    model_provider: str = ""
    effort: str | None = None
    approval_policy: Any = None
    sandbox: str = ""
    cwd: str = ""


class GatheredThread:
    def __init__(self, thread_id: str) -> None:
        self.id = thread_id
        self.parent_id: str | None = None
        self.name: str | None = None
        self.status: ThreadStatus | None = None
        """As it says. That it is idle does not mean that a turn is over."""
        self.is_archived = False
        self.settings: Settings | None = None
        self.goal: ThreadGoal | None = None
        self.usage: TokenUsage | None = None
        """Of all turns, as the server counts."""
        self.warnings: list[str] = []
        self.latest: GatheredTurn | None = None
        self.seen: Seen | None = None
        """The last event. What `thread/resume` takes as `after`, where the server numbers its events."""
        self._turns: dict[str, GatheredTurn] = {}
        self._other_names: dict[str, str] = {}

    @property
    def turns(self) -> list[GatheredTurn]:
        """The oldest first."""
        return list(self._turns.values())

    @property
    def is_running(self) -> bool:
        latest = self.latest
        return latest is not None and (latest.status is TurnStatus.IN_PROGRESS or latest.awaits_review)

    @property
    def pending(self) -> list[Asked]:
        """What waits for an answer. Once its turn is over, nothing waits any more."""
        asked = [one for turn in self._turns.values() if not turn.is_over for one in turn.asked.values()]
        return [one for one in asked if one.answer is None]

    @property
    def compactions(self) -> int:
        return sum(turn.compactions for turn in self._turns.values())

    def enter_review(self, turn_id: str) -> None:
        """The one thing that is heard of a turn before it begins."""
        if turn_id not in self._turns and turn_id not in self._other_names:
            self._add(GatheredTurn(self.id, turn_id))

    def turn(self, turn_id: str | None) -> GatheredTurn:
        """The turn of that name; where none is named, the last. One that is not known is an older one."""
        turn_id = self._other_names.get(turn_id or "", turn_id or "")
        if not turn_id and self.latest is not None:
            return self.latest
        known = self._turns.get(turn_id)
        if known is None:
            known = GatheredTurn(self.id, turn_id)
            if self.latest is None:
                self._add(known)
            else:
                self._turns = {turn_id: known, **self._turns}
                self._bound()
        return known

    def begin(self, turn: Turn) -> None:
        known = self._turns.get(self._other_names.get(turn.id, turn.id))
        if known is None and self.latest is not None and self.latest.awaits_review:
            self._other_names[turn.id] = self.latest.id
            known = self.latest
        if known is None:
            known = GatheredTurn(self.id, turn.id)
            self._add(known)
        known.began(turn)

    def complete(self, turn: Turn) -> None:
        is_first = self.latest is None
        known = self.turn(turn.id)
        known.completed(turn)
        if is_first:
            self.latest = known

    def rebuild(self, thread: Thread) -> None:
        """From what the server has on record. Plan, patch and usage of turns that were known stay."""
        self.name, self.status, self.parent_id = thread.name, thread.status, thread.parent_thread_id
        if not thread.turns:
            return
        before, self._turns, self.latest = self._turns, {}, None
        for turn in thread.turns[-TURNS_MAX:]:
            known = before.get(turn.id) or GatheredTurn(self.id, turn.id)
            self._add(known)
            known.told(turn)

    def rewind(self, turns: list[str]) -> None:
        for turn_id in turns:
            self._turns.pop(turn_id, None)
        self.latest = next(reversed(self._turns.values()), None)

    def forget_questions(self) -> None:
        """The connection over which they were asked is gone. Whoever comes back is asked again."""
        for turn in self._turns.values():
            turn.asked = {key: asked for key, asked in turn.asked.items() if asked.answer is not None}

    def answered(self, request_id: int | str, answer: str) -> bool:
        """Whether it was asked here."""
        for turn in self._turns.values():
            if request_id in turn.asked:
                turn.answered(request_id, answer)
                return True
        return False

    def fold(self) -> None:
        """Lets go of all that is large. Summaries stay."""
        for turn in self._turns.values():
            if not turn.is_folded:
                turn.fold()

    def warned(self, message: str) -> None:
        self.warnings = [*self.warnings[1 - WARNINGS_MAX :], message]

    def _add(self, turn: GatheredTurn) -> None:
        self._turns[turn.id] = turn
        self.latest = turn
        self._bound()

    def _bound(self) -> None:
        while len(self._turns) > TURNS_MAX:
            del self._turns[next(iter(self._turns))]
        for turn in self.turns[:-TURNS_WHOLE_MAX]:
            if not turn.is_folded:
                turn.fold()
        names = {name: turn for name, turn in self._other_names.items() if turn in self._turns}
        self._other_names = names


def settings_of(told: Any) -> Settings | None:
    """From `thread/settings/updated`, and from the answer that a thread was opened with: both have the same names."""
    if not isinstance(told, dict):
        return None
    words = cast("dict[str, Any]", told)
    effort = words.get("effort", words.get("reasoningEffort"))
    sandbox = words.get("sandboxPolicy", words.get("sandbox"))
    return Settings(
        model=str(words.get("model") or ""),
        model_provider=str(words.get("modelProvider") or ""),
        effort=str(effort) if effort else None,
        approval_policy=words.get("approvalPolicy"),
        sandbox=str(cast("dict[str, Any]", sandbox).get("type")) if isinstance(sandbox, dict) else str(sandbox or ""),
        cwd=str(words.get("cwd") or ""),
    )
