"""What goes on record of a hook? One row per invocation and per skip, without secrets and of bounded size."""

import time
from collections.abc import Mapping
from typing import Any

import msgspec

from daedal.hooks.hook import Hook
from daedal.hooks.outcomes import Ending, HookOutcome
from daedal.hooks.output import is_json
from daedal.protocol.hooks import HookScene
from daedal.protocol.records import HookRan
from daedal.protocol.redaction import Redactor

INPUT_BYTES_MAX = 1_048_576
COMMAND_LENGTH_MAX = 10_000
BRIEF = ("hook_event_name", "session_id", "conversation_id", "runtime_db_path", "cwd", "tool_name", "tool_use_id")
"""What is kept of an input that is too large to keep."""


class Recorder:
    """Makes the rows of one firing."""

    def __init__(self, scene: HookScene, redact: Redactor) -> None:
        self._scene = scene
        self._redact = redact

    def ran(
        self, hook: Hook, told: Mapping[str, Any], stdin: bytes, *, began: str, ending: Ending, outcome: HookOutcome
    ) -> HookRan:
        return HookRan(
            **self._where(hook, told, stdin),
            started_at=began,
            completed_at=now(),
            exit_code=ending.exit_code,
            stdout_text=self._printed(ending.stdout),
            stderr_text=self._redact(ending.stderr or ending.trouble),
            outcome=outcome.kind,
        )

    def skipped(self, hook: Hook, told: Mapping[str, Any], stdin: bytes, reason: str) -> HookRan:
        return HookRan(**self._where(hook, told, stdin), started_at=now(), skipped_reason=reason, outcome="skipped")

    def _where(self, hook: Hook, told: Mapping[str, Any], stdin: bytes) -> dict[str, Any]:
        return {
            "hook_event": str(hook.event),
            "hook_ordinal": hook.ordinal,
            "matcher": hook.matcher,
            "command": self._redact(hook.command)[:COMMAND_LENGTH_MAX],
            "input_json": _kept(told, stdin),
            "tool_use_id": told.get("tool_use_id"),
            "tool_name": told.get("tool_name"),
            "source": hook.source,
            "turn_id": self._scene.turn_id,
        }

    def _printed(self, stdout: str) -> str:
        """JSON can spell a secret in other letters (`\\/`, `\\u0041`), so it is read before it is judged harmless."""
        if is_json(stdout):
            try:
                said = msgspec.json.decode(stdout)
                harmless = self._redact.value(said)
            except (msgspec.DecodeError, ValueError, RecursionError):
                return self._redact(stdout)
            if harmless != said:
                return msgspec.json.encode(harmless).decode()
        return self._redact(stdout)


def _kept(told: Mapping[str, Any], stdin: bytes) -> str:
    if len(stdin) <= INPUT_BYTES_MAX:
        return stdin.decode().rstrip("\n")
    brief = {key: told[key] for key in BRIEF if key in told}
    return msgspec.json.encode({**brief, "truncated_bytes": len(stdin)}).decode()


def now() -> str:
    """UTC, as the ledger writes times, with milliseconds."""
    seconds = time.time()
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(seconds))}.{int(seconds * 1000) % 1000:03d}"
