"""How does the demo look? The answer as it streams, then what was done as a short table."""

import sys

from daedal.cli.printing import dimmed, one_line, table, visible
from daedal.cli.rendering.tally import tool_name
from daedal.cli.rendering.text import TextRenderer
from daedal.protocol.catalogue import say
from daedal.protocol.events import ItemCompleted
from daedal.protocol.items import CommandExecution, FileChange, ItemStatus, ToolCall
from daedal.protocol.threads import ThreadStartResponse
from daedal.protocol.wire import Notification


class DemoView(TextRenderer):
    """Shows a run as `exec` does, on one stream, and keeps its steps for the table."""

    def __init__(self) -> None:
        super().__init__()
        self.session_id = ""
        self._steps: list[list[str]] = []

    def opened(self, thread: ThreadStartResponse) -> None:
        self.session_id = thread.thread.id
        super().opened(thread)

    def event(self, notification: Notification) -> None:
        super().event(notification)
        match notification.params:
            case ItemCompleted(item=CommandExecution() as item):
                self._add(tool_name(item), item.command, item.status, item.duration_ms, exit_code=item.exit_code)
            case ItemCompleted(item=FileChange() as item):
                names = ", ".join(change.path.rpartition("/")[2] for change in item.changes)
                self._add(tool_name(item), names, item.status, None)
            case ItemCompleted(item=ToolCall() as item):
                subject = item.arguments.get("file_path") or item.arguments.get("pattern") or ""
                self._add(tool_name(item), str(subject), item.status, item.duration_ms)
            case _:
                pass

    def _write(self, line: str, *, dim: bool = False) -> None:
        """To the same stream as everything else in the demo, so that it stays in order."""
        shown = visible(line)
        print(dimmed(shown) if dim and sys.stdout.isatty() else shown, flush=True)

    def table(self) -> str:
        headings = say("cli.demo.headings").split("|")
        return table(headings, [[str(number), *step] for number, step in enumerate(self._steps, 1)])

    def _add(
        self, tool: str, subject: str, status: ItemStatus, duration_ms: int | None, *, exit_code: int | None = None
    ) -> None:
        result = say("cli.demo.exit_code", code=exit_code) if exit_code is not None else str(status)
        time = "" if duration_ms is None else f"{duration_ms} ms"
        self._steps.append([one_line(tool, 20), one_line(subject, 50), result, time])
