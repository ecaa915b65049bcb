"""What does an editor see of a session? Every event of its engine that the protocol has a word for.

A sub-agent's calls are shown among the others, since a person may be asked about them; its words are for the model that
sent it.
"""

from acp.helpers import plan_entry, update_plan
from acp.schema import Cost, PlanEntryStatus, UsageUpdate

from daedal.editor.modes import PLAN, mode_update
from daedal.editor.outbox import Outbox
from daedal.editor.tool_calls import ToolItem, begun, ended, status_update
from daedal.protocol.events import (
    AgentMessageDelta,
    ItemCompleted,
    ItemStarted,
    PlanUpdated,
    ReasoningTextDelta,
    TokenUsageUpdated,
    TurnTroubled,
    Warned,
)
from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    FileChange,
    Item,
    ItemStatus,
    PlanStep,
    Reasoning,
    ToolCall,
)
from daedal.protocol.wire import Notification

STATUSES: dict[str, PlanEntryStatus] = {
    "pending": "pending",
    "inProgress": "in_progress",
    "in_progress": "in_progress",
    "completed": "completed",
}


class Showing:
    """Of one session. Made before its thread is known; what comes before that is nobody's."""

    def __init__(self, outbox: Outbox, folder: str) -> None:
        self._outbox = outbox
        self._folder = folder
        self.session_id = ""
        """The editor's name for it."""
        self.thread_id = ""
        self.is_planning: bool | None = None
        """Whether a tool has led into plan mode or out of it, where one did."""
        self._open: dict[str, None] = {}
        """Calls that have begun and not ended."""
        self._told: set[str] = set()
        """Messages of which a part has been said."""

    def see(self, notification: Notification) -> None:
        event = notification.params
        match event:
            case ItemStarted(item=(CommandExecution() | FileChange() | ToolCall()) as item):
                self._open[item.id] = None
                self._put(begun(item, self._folder))
            case ItemCompleted(item=(CommandExecution() | FileChange() | ToolCall()) as item):
                self._open.pop(item.id, None)
                self._put(ended(item, self._folder))
                if event.thread_id == self.thread_id:
                    self._note_mode(item)
            case _ if getattr(event, "thread_id", None) not in (None, self.thread_id):
                pass
            case AgentMessageDelta():
                self._told.add(event.item_id)
                self.say(event.delta, event.item_id)
            case ReasoningTextDelta():
                self._told.add(event.item_id)
                self._outbox.say(self.session_id, "thought", event.delta, event.item_id)
            case ItemCompleted():
                self._complete(event.item)
            case PlanUpdated():
                self._put(plan(event.plan))
            case TokenUsageUpdated():
                self._usage(event)
            case Warned():
                self.remark(event.message)
            case TurnTroubled(will_retry=True):
                self.remark(event.error.message)
            case _:
                pass

    def say(self, text: str, message_id: str | None = None) -> None:
        self._outbox.say(self.session_id, "agent", text, message_id)

    def remark(self, sentence: str) -> None:
        """For the person, beside the conversation: the protocol knows no notices, but thoughts are set apart."""
        self._outbox.say(self.session_id, "thought", f"{sentence}\n")

    def close(self) -> None:
        """The turn is over: what it began and did not end has failed."""
        for call_id in self._open:
            self._put(status_update(call_id, "failed"))
        self._open.clear()
        self._told.clear()

    def allowed(self, call_id: str) -> None:
        """A person said yes, and the call goes on."""
        self._put(status_update(call_id, "in_progress"))

    def _put(self, update: object) -> None:
        self._outbox.put(self.session_id, update)

    def _complete(self, item: Item) -> None:
        """Only what was not told piece by piece."""
        if item.id in self._told:
            return
        match item:
            case AgentMessage():
                self.say(item.text, item.id)
            case Reasoning():
                self._outbox.say(self.session_id, "thought", "".join(item.content or item.summary), item.id)
            case _:
                pass

    def _note_mode(self, item: ToolItem) -> None:
        if not isinstance(item, ToolCall) or item.status is not ItemStatus.COMPLETED:
            return
        if item.tool == "EnterPlanMode":
            self.is_planning = True
            self._put(mode_update(PLAN))
        elif item.tool == "ExitPlanMode":
            self.is_planning = False

    def _usage(self, event: TokenUsageUpdated) -> None:
        used, window = event.token_usage.last.total_tokens, event.token_usage.model_context_window
        if not window:
            return
        spent = event.token_usage.cost_usd
        cost = None if spent is None else Cost(amount=spent, currency="USD")
        self._put(UsageUpdate(session_update="usage_update", used=used, size=window, cost=cost))


def plan(steps: list[PlanStep]) -> object:
    return update_plan([plan_entry(step.step, status=STATUSES.get(step.status, "pending")) for step in steps])
