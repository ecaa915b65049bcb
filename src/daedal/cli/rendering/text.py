"""How does a person read a run? The answer streams to standard output, progress goes line by line to standard error."""

import asyncio
import os
import sys

from daedal.cli.exit_codes import ExitCode
from daedal.cli.printing import one_line
from daedal.cli.rendering.answer import Answer
from daedal.cli.rendering.tally import Tally, tool_name
from daedal.cli.streams import tell
from daedal.protocol.catalogue import say
from daedal.protocol.events import (
    AgentMessageDelta,
    ItemCompleted,
    ItemStarted,
    McpProgress,
    PlanUpdated,
    TurnTroubled,
    Warned,
)
from daedal.protocol.goals import GoalUpdated
from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    ContextCompaction,
    FileChange,
    ItemStatus,
    PlanStep,
    ToolCall,
    was_declined,
)
from daedal.protocol.threads import ThreadStartResponse
from daedal.protocol.turns import ErrorKind, Turn
from daedal.protocol.wire import Notification

SUBJECT_KEYS = ("file_path", "pattern", "path", "description", "skill", "query", "url", "task_id", "uri")
LINE_MAX = 100
PATIENCE_S = 2.0
"""A call that takes longer is named while it runs."""
TOOL_MAX = 40
REASON_MAX = 300


class TextRenderer:
    def __init__(self) -> None:
        self._tally = Tally()
        self._session_id = ""
        self._answer = Answer()
        self._waits: dict[str, asyncio.TimerHandle] = {}
        self._goal_line = ""
        self._colours = sys.stderr.isatty() and not os.environ.get("NO_COLOR")

    @property
    def is_open(self) -> bool:
        return bool(self._session_id)

    def opened(self, thread: ThreadStartResponse) -> None:
        self._session_id = thread.thread.id
        self._note(say("cli.exec.opened", model=thread.model, provider=thread.model_provider, id=self._session_id))

    def event(self, notification: Notification) -> None:
        self._tally.count(notification)
        match notification.params:
            case AgentMessageDelta(delta=delta, item_id=item_id):
                self._answer.add(delta, item_id)
            case ItemCompleted(item=AgentMessage()):
                self._answer.end()
            case ItemStarted(item=CommandExecution() | FileChange() | ToolCall() as item):
                self._waits[item.id] = asyncio.get_running_loop().call_later(PATIENCE_S, self._still_at, item)
            case ItemCompleted(item=CommandExecution() | FileChange() | ToolCall() as item):
                self._waits.pop(item.id).cancel()
                self._answer.pause()
                self._note(describe(item))
            case ItemStarted(item=ContextCompaction()):
                self._answer.pause()
                self._note(say("cli.exec.folding"))
            case TurnTroubled(will_retry=True, error=error):
                attempt, _, delay = (error.additional_details or "").partition(" ")
                self._answer.broken()
                self._note(say("cli.exec.retrying", reason=error.message, attempt=attempt, delay=delay))
            case _:
                self._happened(notification.params)

    def _happened(self, event: object) -> None:
        """What is told in passing."""
        match event:
            case McpProgress(message=message):
                self._answer.pause()
                self._note(f"  … {one_line(message, LINE_MAX)}")
            case PlanUpdated(plan=plan):
                self._answer.pause()
                for line in map(todo, plan):
                    self._note(line)
            case Warned(message=message):
                self._note(say("cli.warning", message=message))
            case GoalUpdated(goal=goal):
                from daedal.cli.rendering.goal import goal_line

                before, self._goal_line = self._goal_line, goal_line(goal)
                if before != self._goal_line:
                    self._answer.pause()
                    self._note(self._goal_line)
            case _:
                pass

    def aside(self, notification: Notification) -> None:
        """What a sub-agent does is told in passing; what it says is for whoever sent it."""
        match notification.params:
            case ItemCompleted(item=CommandExecution() | FileChange() | ToolCall() as item):
                self._answer.pause()
                self._note(f"  ↳ {describe(item)}")
            case Warned(message=message):
                self._note(say("cli.warning", message=message))
            case _:
                pass

    def _still_at(self, item: CommandExecution | FileChange | ToolCall) -> None:
        """A call takes long; whoever watches should know which."""
        self._answer.pause()
        self._note(describe(item))

    def ended(self, turn: Turn, code: ExitCode) -> None:
        for wait in self._waits.values():
            wait.cancel()
        self._answer.end()
        if turn.error is not None:
            self._write(say("cli.error", message=turn.error.message))
        tally = self._tally
        tokens_in = tally.usage.input_tokens + tally.usage.cache_read_tokens + tally.usage.cache_write_tokens
        figures = {
            "seconds": f"{(turn.duration_ms or 0) / 1000:.1f}",
            "calls": tally.model_calls,
            "tools": tally.tool_calls,
            "tokens_in": f"{tokens_in:,}",
            "tokens_out": f"{tally.usage.output_tokens:,}",
            "cost": "" if tally.cost_usd is None else say("cli.exec.cost", cost=f"{tally.cost_usd:.4f}"),
        }
        if code is ExitCode.DONE:
            self._note(say("cli.exec.done", **figures))
        elif code is ExitCode.INTERRUPTED:
            self._note(say("cli.exec.interrupted", **figures, id=self._session_id))
        else:
            self._note(say("cli.exec.stopped", **figures, id=self._session_id))

    def failed(self, message: str, kind: ErrorKind) -> None:
        del kind
        self._write(say("cli.error", message=message))

    def _note(self, line: str) -> None:
        self._write(line, dim=self._colours)

    def _write(self, line: str, *, dim: bool = False) -> None:
        tell(line, dim=dim)


def todo(step: PlanStep) -> str:
    """A line of the model's list, with a mark of how far it is."""
    marks = {"completed": "☑", "inProgress": "▸"}
    return f"  {marks.get(step.status, '☐')} {one_line(step.step, LINE_MAX)}"


def describe(item: CommandExecution | FileChange | ToolCall) -> str:
    """A finished tool call in one line: what, on what, how it ended."""
    match item:
        case CommandExecution():
            subject = item.command
        case FileChange():
            subject = ", ".join(change.path for change in item.changes)
        case ToolCall():
            subject = next((str(item.arguments[key]) for key in SUBJECT_KEYS if key in item.arguments), "")
    marks = {ItemStatus.COMPLETED: "✓", ItemStatus.IN_PROGRESS: "…"}
    mark = "⊘" if was_declined(item) else marks.get(item.status, "✗")
    what = one_line(tool_name(item), TOOL_MAX)
    first = one_line(subject.strip().partition("\n")[0], LINE_MAX)
    line = f"{mark} {what} {first}".rstrip()
    exit_code = item.exit_code if isinstance(item, CommandExecution) else None
    if exit_code:
        line += say("cli.exec.exit_code", code=exit_code)
    if was_declined(item):
        line += say("cli.exec.denied", reason=one_line(item.reason or "", REASON_MAX))
    elif item.status is ItemStatus.FAILED and item.reason:
        line += say("cli.exec.failed_call", reason=one_line(item.reason, REASON_MAX))
    return line
