"""What does an editor see of a session? Every event of its engine that the protocol has a word for.

A sub-agent's calls are shown among the others, since a person may be asked about them; its words are for the model that
sent it.
"""

from acp.helpers import plan_entry, update_plan
from acp.schema import Cost, PlanEntryStatus, SessionInfoUpdate, Usage, UsageUpdate

from daedal.editor.outbox import Outbox
from daedal.editor.standing import Standing
from daedal.editor.tool_calls import begun, ended, printed, status_update, told
from daedal.protocol.events import (
    AgentMessageDelta,
    CommandOutputDelta,
    ItemCompleted,
    ItemStarted,
    McpProgress,
    PlanUpdated,
    ReasoningTextDelta,
    ThreadNamed,
    ThreadSettingsUpdated,
    TokenCounts,
    TokenUsageUpdated,
    TurnTroubled,
    Warned,
)
from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    FileChange,
    Item,
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


LIVE_CHARACTERS_MAX = 8_000
"""Of what a running command has printed; the whole of it comes with its end."""


class Showing:
    """Of one session. Made before its thread is known; what comes before that is nobody's."""

    def __init__(self, outbox: Outbox, folder: str, standing: Standing) -> None:
        self._outbox = outbox
        self._folder = folder
        self._standing = standing
        self.session_id = ""
        """The editor's name for it."""
        self.thread_id = ""
        self.usage: Usage | None = None
        """What the session has used up so far."""
        self._open: dict[str, str] = {}
        """Calls that have begun and not ended, each with the last that it printed."""
        self._told: set[str] = set()
        """Messages of which a part has been said."""

    def see(self, notification: Notification) -> None:
        event = notification.params
        match event:
            case ItemStarted(item=(CommandExecution() | FileChange() | ToolCall()) as item):
                self._open[item.id] = ""
                self._put(begun(item, self._folder))
            case ItemCompleted(item=(CommandExecution() | FileChange() | ToolCall()) as item):
                self._open.pop(item.id, None)
                self._put(ended(item, self._folder))
            case CommandOutputDelta() if event.item_id in self._open:
                self._print(event)
            case McpProgress() if event.item_id in self._open:
                self._outbox.put(self.session_id, told(event.item_id, event.message), key=f"output:{event.item_id}")
            case _ if getattr(event, "thread_id", None) in (None, self.thread_id):
                self._see_own(event)
            case _:
                pass

    def _see_own(self, event: object) -> None:
        """What is said of this session's thread alone, or of none."""
        match event:
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
            case ThreadSettingsUpdated():
                for update in self._standing.note(event.thread_settings):
                    self._put(update)
            case ThreadNamed(thread_name=str(name)):
                self.entitle(name)
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

    def entitle(self, title: str) -> None:
        """What the session is called in the editor's list."""
        self._put(SessionInfoUpdate(session_update="session_info_update", title=title))

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

    def _print(self, event: CommandOutputDelta) -> None:
        """An update takes the place of the one before it, so it says all; of a long output only the end."""
        text = self._open[event.item_id] = (self._open[event.item_id] + event.delta)[-LIVE_CHARACTERS_MAX:]
        self._outbox.put(self.session_id, printed(event.item_id, text), key=f"output:{event.item_id}")

    def _usage(self, event: TokenUsageUpdated) -> None:
        self.usage = _usage_of(event.token_usage.total)
        used, window = event.token_usage.last.total_tokens, event.token_usage.model_context_window
        if not window:
            return
        spent = event.token_usage.cost_usd
        cost = None if spent is None else Cost(amount=spent, currency="USD")
        self._put(UsageUpdate(session_update="usage_update", used=used, size=window, cost=cost))


def plan(steps: list[PlanStep]) -> object:
    return update_plan([plan_entry(step.step, status=STATUSES.get(step.status, "pending")) for step in steps])


def _usage_of(counts: TokenCounts) -> Usage:
    return Usage(
        total_tokens=counts.total_tokens,
        input_tokens=counts.input_tokens,
        output_tokens=counts.output_tokens,
        thought_tokens=counts.reasoning_output_tokens,
        cached_read_tokens=counts.cached_input_tokens,
        cached_write_tokens=counts.cache_write_input_tokens,
    )
