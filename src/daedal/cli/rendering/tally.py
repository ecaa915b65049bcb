"""What did a run come to? Counted from events as they pass, for the last line and the JSON result."""

from typing import Any

from daedal.protocol.events import ItemCompleted, TokenUsageUpdated
from daedal.protocol.items import AgentMessage, CommandExecution, FileChange, ToolCall, was_declined
from daedal.protocol.model import Usage
from daedal.protocol.wire import Notification


class Tally:
    def __init__(self) -> None:
        self.answer = ""
        self.model_calls = 0
        self.tool_calls = 0
        self.usage = Usage()
        self.cost_usd: float | None = None
        self.denials: list[dict[str, Any]] = []

    def count(self, notification: Notification) -> None:
        match notification.params:
            case TokenUsageUpdated(token_usage=usage):
                self.model_calls += 1
                self.usage = usage.total.usage()
                self.cost_usd = usage.cost_usd
            case ItemCompleted(item=AgentMessage(text=text)):
                self.answer = text
            case ItemCompleted(item=CommandExecution() | FileChange() | ToolCall() as item):
                self.tool_calls += 1
                if was_declined(item):
                    self.denials.append({"tool_name": tool_name(item), "tool_use_id": item.id})
            case _:
                pass


def tool_name(item: CommandExecution | FileChange | ToolCall) -> str:
    match item:
        case CommandExecution():
            return "Bash"
        case FileChange(tool=tool) | ToolCall(tool=tool):
            return tool
