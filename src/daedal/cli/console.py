"""What does a person see of a delivery? A lasting log above one line that moves; plain lines where nobody watches."""

import os
import sys
import time
from shutil import get_terminal_size

import msgspec

from daedal.cli.printing import obeys, one_line, visible
from daedal.cli.streams import put_json, warn
from daedal.delivery import (
    Activity,
    DeliverableChanged,
    Detail,
    Fact,
    Note,
    SessionEnded,
    SessionStarted,
    Waiting,
    in_words,
)
from daedal.protocol.catalogue import say
from daedal.protocol.events import ReasoningTextDelta

CLEAR = "\r\x1b[K"
THINKING_SHOWN = 200
COLORS = {
    "passed": "32",
    "confirmed": "32",
    "blocked": "33",
    "pending": "36",
    "stale": "33",
    "warning": "33",
    "error": "31",
}


class Console:
    """For people. `debug` logs everything instead of moving a line."""

    def __init__(self, *, debug: bool = False) -> None:
        self._debug = debug
        self._moves = obeys(sys.stdout) and not debug
        self.has_colors = obeys(sys.stdout) and not os.environ.get("NO_COLOR")
        self._line = ""
        self._began = time.monotonic()
        self._tools = 0
        self._activity = ""

    def tell(self, fact: Fact) -> None:
        match fact:
            case SessionStarted():
                self._began, self._tools, self._activity = time.monotonic(), 0, ""
                words = "cli.run.session_started" if fact.model else "cli.run.session_started_plain"
                self.log(say(words, number=fact.number, instruction=fact.instruction, model=fact.model))
            case SessionEnded():
                self.clear()
                self.log(
                    say(
                        "cli.run.session_ended",
                        number=fact.number,
                        outcome=fact.outcome,
                        cost=f"{fact.cost_usd:.4f}",
                        duration=in_words(fact.duration_s),
                    )
                )
            case DeliverableChanged():
                words = say(f"cli.run.{fact.change}", description=one_line(fact.description, 200), id=fact.id)
                self.log(words, color=COLORS.get(fact.change, ""))
            case Note():
                self._note(fact)
            case Activity():
                self._act(fact)
            case Waiting():
                self._wait(fact)
            case Detail() if self._debug:
                self.log(_full(fact))
            case Detail():
                pass

    def log(self, message: str, *, color: str = "") -> None:
        shown = visible(message)
        self.show(f"\x1b[{color}m{shown}\x1b[0m" if color and self.has_colors else shown)

    def show(self, text: str) -> None:
        """As it is: with nothing in it that somebody else wrote and a terminal would obey."""
        if self._line:
            sys.stdout.write(CLEAR)
        sys.stdout.write(text + "\n")
        if self._line:
            sys.stdout.write(self._line)
        sys.stdout.flush()

    def clear(self) -> None:
        """The moving line goes."""
        if self._line:
            sys.stdout.write(CLEAR)
            sys.stdout.flush()
        self._line = ""

    def tick(self) -> None:
        """Once a second: time passes although nothing happens."""
        if self._activity:
            self._render()

    def _note(self, note: Note) -> None:
        line = self._line
        self.clear()
        if note.level == "info":
            self.log(note.message)
        else:
            warn(note.message)
        if line:
            self._show(line)

    def _act(self, activity: Activity) -> None:
        match activity.kind:
            case "thinking":
                self._activity = say("cli.run.thinking_now")
            case "tool":
                self._activity = say("cli.run.running_now", tool=one_line(activity.name, 60))
            case "tool_done":
                self._tools += 1
            case _:
                self._activity = say("cli.run.responding_now")
        self._render()

    def _render(self) -> None:
        tools = say("cli.run.one_tool") if self._tools == 1 else say("cli.run.tools", count=self._tools)
        elapsed = in_words(time.monotonic() - self._began)
        self._show(
            say("cli.run.activity", elapsed=elapsed, activity=self._activity, tools=tools if self._tools else "")
        )

    def _wait(self, waiting: Waiting) -> None:
        self._activity = ""
        remaining = in_words(waiting.remaining_s + 0.999)
        if waiting.resets_at:
            line = say("cli.run.waiting", remaining=remaining, resets=waiting.resets_at)
        else:
            line = say("cli.run.waiting_unknown", remaining=remaining)
        if self._moves:
            self._show(line)
        elif not self._line:
            # Where nothing can move it is said once.
            self.log(line)
            self._line = ""

    def _show(self, line: str) -> None:
        if self._moves:
            # On two lines it could not be taken back.
            self._line = one_line(line, max(20, get_terminal_size().columns - 1))
            sys.stdout.write(CLEAR + self._line)
            sys.stdout.flush()


class JsonConsole(Console):
    """For programs: each fact as a line."""

    def tell(self, fact: Fact) -> None:
        if not isinstance(fact, Detail):
            put_json(msgspec.json.encode(fact))

    def log(self, message: str, *, color: str = "") -> None:
        del color
        put_json(msgspec.json.encode(Note(level="info", message=message)))

    def tick(self) -> None:
        pass


def _full(fact: Detail) -> str:
    params = fact.params
    if isinstance(params, ReasoningTextDelta):
        return f"{fact.method} {params.delta[:THINKING_SHOWN]}"
    return f"{fact.method} {msgspec.json.encode(params).decode()}"
