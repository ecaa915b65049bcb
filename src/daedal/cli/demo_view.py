"""How does the demo look? As a delivery does, with what each session does in between."""

from typing import Any

from daedal.cli.console import Console
from daedal.cli.printing import dimmed, one_line, visible
from daedal.cli.rendering.tally import tool_name
from daedal.delivery import Detail, Fact, SessionStarted
from daedal.protocol.catalogue import say
from daedal.protocol.events import ItemCompleted
from daedal.protocol.items import AgentMessage, CommandExecution, FileChange, ToolCall

WIDTH = 100
REFUSAL_WIDTH = 160
YELLOW = "33"
TOOLS = "mcp__deliverables__"


class DemoConsole(Console):
    def tell(self, fact: Fact) -> None:
        match fact:
            case SessionStarted():
                self.log("")
                super().tell(fact)
            case Detail(params=ItemCompleted(item=AgentMessage(text=text))) if text.strip():
                self._step(say("cli.demo.said", text=text))
            case Detail(params=ItemCompleted(item=ToolCall(success=False) as item)):
                self.log(say("cli.demo.step", line=one_line(_refused(item), REFUSAL_WIDTH)), color=YELLOW)
            case Detail(params=ItemCompleted(item=CommandExecution() | FileChange() | ToolCall() as item)):
                if not (isinstance(item, ToolCall) and item.tool.startswith(TOOLS)):  # what those did is said anyway
                    self._step(_shown(item))
            case _:
                super().tell(fact)

    def quote(self, text: str) -> None:
        for line in text.rstrip().split("\n"):
            self._dim(say("cli.demo.quoted", line=line))
        self.log("")

    def _step(self, line: str) -> None:
        self._dim(say("cli.demo.step", line=one_line(line, WIDTH)))

    def _dim(self, line: str) -> None:
        shown = visible(line.rstrip())
        self.show(dimmed(shown) if self.has_colors else shown)


def _shown(item: CommandExecution | FileChange | ToolCall) -> str:
    match item:
        case CommandExecution():
            return say("cli.demo.command", command=item.command, code=item.exit_code)
        case FileChange():
            paths = ", ".join(change.path.rpartition("/")[2] for change in item.changes)
            return say("cli.demo.call", tool=tool_name(item), subject=paths)
        case ToolCall():
            return say("cli.demo.call", tool=item.tool.removeprefix(TOOLS), subject=_subject(item.arguments))


def _refused(item: ToolCall) -> str:
    texts = [str(part.get("text", "")) for part in item.content_items or []]
    return say("cli.demo.refused", call=_shown(item), why=" ".join(texts) or item.reason or "")


def _subject(arguments: dict[str, Any]) -> str:
    names = ("file_path", "deliverableId", "status")
    return " ".join(str(arguments[name]).rpartition("/")[2] for name in names if name in arguments)
