"""What does a client know of each thread, from what passes over its connection alone?

Nothing is asked of the server and nothing is done: whoever drives threads looks here. It takes envelopes of Daedal's
own app-server and of Codex's, as structs or as plain data. What is heard twice counts once, what is heard late counts
where it belongs, and what is old is summed up: see `THREADS_MAX`, `TURNS_MAX` and `CHARACTERS_MAX`.

Told also what its own side says, it knows what was answered. Then a connection that was lost is taken up by
`thread/resume` with `after(thread_id)`: what was missed is heard again, or the turns are built anew.
"""

from typing import Any, cast

import msgspec

from daedal.client.gathered_thread import GatheredThread, settings_of
from daedal.client.hearing import hear
from daedal.client.reading import event_of, growth_of, thread_of
from daedal.client.turn_summary import Asked, AskKind, TurnSummary
from daedal.protocol.events import ItemStarted, TurnCompleted
from daedal.protocol.threads import Seen
from daedal.protocol.wire import Envelope, Malformed, Notification, Request, Response

THREADS_WHOLE_MAX = 50
"""So many threads in which nothing runs have their items."""
THREADS_MAX = 1_000
"""Of more, those of which nothing was heard for the longest time are forgotten."""
CALLS_MAX = 1_000

KINDS = {
    "item/commandExecution/requestApproval": AskKind.COMMAND,
    "item/fileChange/requestApproval": AskKind.FILE_CHANGE,
    "item/tool/requestApproval": AskKind.TOOL,
    "mcpServer/elicitation/request": AskKind.TOOL,
    "item/tool/requestUserInput": AskKind.INPUT,
}
OPENING = ("thread/start", "thread/resume", "thread/fork")


class Gathering:
    def __init__(self) -> None:
        self._threads: dict[str, GatheredThread] = {}
        self._calls: dict[int | str, str] = {}
        """Of this client, that open a thread and are not answered yet."""

    def thread(self, thread_id: str) -> GatheredThread | None:
        return self._threads.get(thread_id)

    @property
    def threads(self) -> list[GatheredThread]:
        return list(self._threads.values())

    def summary(self, thread_id: str, turn_id: str | None = None) -> TurnSummary | None:
        """Of the last turn, where none is named."""
        thread = self._threads.get(thread_id)
        if thread is None:
            return None
        turn = thread.latest if turn_id is None else next((one for one in thread.turns if one.id == turn_id), None)
        return turn.summary() if turn is not None else None

    def after(self, thread_id: str) -> Seen | None:
        """For `thread/resume`: the last event that was heard."""
        thread = self._threads.get(thread_id)
        return thread.seen if thread is not None and thread.seen is not None and thread.seen.stream else None

    def forget(self, thread_id: str) -> None:
        self._threads.pop(thread_id, None)

    def reconnected(self) -> None:
        """From now on it hears another connection."""
        self._calls.clear()
        for thread in self._threads.values():
            thread.forget_questions()

    def heard(self, envelope: Envelope | Malformed | None) -> None:
        match envelope:
            case Notification():
                self._told(envelope)
            case Request():
                self._asked(envelope)
            case Response(id=number, error=error, result=result) if number is not None:
                if self._calls.pop(number, None) is not None and error is None:
                    self._opened(msgspec.to_builtins(result) if isinstance(result, msgspec.Struct) else result)
            case _:
                pass

    def said(self, envelope: Envelope) -> None:
        match envelope:
            case Request(id=number, method=method) if method in OPENING:
                self._calls[number] = method
                if len(self._calls) > CALLS_MAX:
                    del self._calls[next(iter(self._calls))]
            case Response(id=number, result=result, error=error) if number is not None:
                self._resolve(number, _answer(result) if error is None else "error")
            case _:
                pass

    def _told(self, notification: Notification) -> None:
        method, params, number = notification.method, notification.params, notification.sequence
        event = event_of(method, params) or growth_of(method, params)
        thread_id = _of(params, "thread_id", "threadId") or _of(_field(params, "thread", "thread"), "id", "id")
        if not thread_id:
            return
        thread = self._known(thread_id)
        if _is_again(thread, event, number):
            return
        if number is not None:
            thread.seen = Seen(stream=thread.seen.stream if thread.seen is not None else "", sequence=number)
        if event is not None:
            hear(thread, event)
        elif method == "thread/settings/updated":
            thread.settings = settings_of(_field(params, "", "threadSettings")) or thread.settings
        elif method == "thread/compacted":
            thread.turn(_of(params, "turn_id", "turnId")).compacted()
        if isinstance(event, TurnCompleted) and thread.parent_id is not None:
            thread.seen = None  # A sub-agent has one turn. What still comes of it is numbered anew.
            thread.fold()

    def _known(self, thread_id: str) -> GatheredThread:
        """The one that something was heard of last stands last."""
        known = self._threads.pop(thread_id, None)
        thread = self._threads[thread_id] = known or GatheredThread(thread_id)
        if known is None:
            self._bound()
        return thread

    def _bound(self) -> None:
        idle = [one for one in self._threads.values() if not one.is_running]
        for thread in idle[:-THREADS_WHOLE_MAX]:
            thread.fold()
        if len(self._threads) > THREADS_MAX:
            del self._threads[idle[0].id if idle else next(iter(self._threads))]

    def _asked(self, request: Request) -> None:
        thread_id = _of(request.params, "thread_id", "threadId")
        if not thread_id:
            return
        turn = self._known(thread_id).turn(_of(request.params, "turn_id", "turnId"))
        kind = KINDS.get(request.method, AskKind.OTHER)
        item_id = _of(request.params, "item_id", "itemId")
        turn.ask(Asked(request_id=request.id, kind=kind, turn_id=turn.id, item_id=item_id))

    def _resolve(self, request_id: int | str, answer: str) -> None:
        for thread in self._threads.values():
            if thread.answered(request_id, answer):
                return

    def _opened(self, result: Any) -> None:
        told = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
        thread = thread_of(told.get("thread"))
        if thread is None:
            return
        known = self._known(thread.id)
        known.settings = settings_of(told)
        seen = told.get("seen")
        if not told.get("replayed"):
            known.rebuild(thread)
            known.seen = msgspec.convert(seen, Seen) if isinstance(seen, dict) else None


def _is_again(thread: GatheredThread, event: object, number: int | None) -> bool:
    """Whether it was heard before. An item that grows is begun once more, under the last number, by `thread/resume`."""
    if number is None or thread.seen is None or number > thread.seen.sequence:
        return False
    return number < thread.seen.sequence or not isinstance(event, ItemStarted)


def _field(params: Any, name: str, key: str) -> Any:
    """Of a struct, or of plain data."""
    return cast("dict[str, Any]", params).get(key) if isinstance(params, dict) else getattr(params, name, None)


def _of(params: Any, name: str, key: str) -> str:
    value = _field(params, name, key)
    return value if isinstance(value, str) else ""


def _answer(result: Any) -> str:
    """In a word."""
    told = msgspec.to_builtins(result) if isinstance(result, msgspec.Struct) else result
    if not isinstance(told, dict):
        return "answered"
    words = cast("dict[str, Any]", told)
    decision = words.get("decision", words.get("action"))
    if isinstance(decision, dict) and decision:
        return str(next(iter(cast("dict[str, Any]", decision))))
    return decision if isinstance(decision, str) else "answered"
