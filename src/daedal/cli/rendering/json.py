"""How does a program read a run? One result object at the end, or every event as a line and then the result."""

from typing import Any

import msgspec

from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.cli.rendering.tally import Tally
from daedal.cli.streams import put_json, warn
from daedal.protocol.events import Warned
from daedal.protocol.goals import GoalUpdated, ThreadGoal
from daedal.protocol.threads import ThreadStartResponse
from daedal.protocol.turns import ErrorKind, Turn
from daedal.protocol.wire import Notification


class JsonRenderer:
    def __init__(self) -> None:
        self._tally = Tally()
        self._session_id = ""
        self._model = ""
        self._goal: ThreadGoal | None = None

    @property
    def is_open(self) -> bool:
        return bool(self._session_id)

    def opened(self, thread: ThreadStartResponse) -> None:
        self._session_id = thread.thread.id
        self._model = thread.model

    def event(self, notification: Notification) -> None:
        self._tally.count(notification)
        if isinstance(notification.params, Warned):
            warn(notification.params.message)
        elif isinstance(notification.params, GoalUpdated):
            self._goal = notification.params.goal

    def aside(self, notification: Notification) -> None:
        """What a sub-agent does is not part of this run's figures, except what it cost, which its parent has paid."""
        if isinstance(notification.params, Warned):
            warn(notification.params.message)

    def ended(self, turn: Turn, code: ExitCode) -> None:
        error = turn.error
        self._print(
            self._result(
                code,
                str(turn.status),
                error={"kind": str(error.kind), "message": error.message} if error else None,
                duration_ms=turn.duration_ms or 0,
            )
        )

    def failed(self, message: str, kind: ErrorKind) -> None:
        self._print(self._result(of_kind(kind), "failed", error={"kind": str(kind), "message": message}))

    def _result(
        self, code: ExitCode, status: str, *, error: dict[str, Any] | None, duration_ms: int = 0
    ) -> dict[str, Any]:
        tally = self._tally
        return {
            "type": "result",
            "status": status,
            "is_error": code != ExitCode.DONE,
            "exit_code": int(code),
            "result": tally.answer,
            "session_id": self._session_id,
            "model": self._model,
            "num_turns": tally.model_calls,
            "tool_calls": tally.tool_calls,
            "duration_ms": duration_ms,
            "total_cost_usd": tally.cost_usd,
            "usage": tally.usage,
            "permission_denials": tally.denials,
            "error": error,
            **({} if self._goal is None else {"goal": self._goal}),
        }

    @staticmethod
    def _print(value: Any) -> None:
        put_json(msgspec.json.encode(value))


class StreamRenderer(JsonRenderer):
    """What comes after the result, such as what was ended with the session, is for standard error alone."""

    def __init__(self) -> None:
        super().__init__()
        self._is_over = False

    def event(self, notification: Notification) -> None:
        super().event(notification)
        self._stream(notification)

    def aside(self, notification: Notification) -> None:
        super().aside(notification)
        self._stream(notification)

    def ended(self, turn: Turn, code: ExitCode) -> None:
        super().ended(turn, code)
        self._is_over = True

    def _stream(self, notification: Notification) -> None:
        if not self._is_over:
            self._print(notification)
