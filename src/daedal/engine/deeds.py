"""How does a call that is over go on the record? Its verdicts, what it changed, its result and its receipt."""

from binascii import b2a_base64
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine.thread import LoadedThread
from daedal.protocol.content import ToolUse
from daedal.protocol.items import Change
from daedal.protocol.records import Entry, EntryType, ReceiptIssued, Record, VerdictGiven
from daedal.protocol.seams import Outcome
from daedal.protocol.verdict import Ruling, ToolRequest


class Ran(Struct, frozen=True):
    """What is known of a call that is over."""

    outcome: Outcome
    snapshots: list[dict[str, Any]]
    duration_ms: int
    let_out: Ruling | None = None
    """What a person said when the walls stopped it."""


class Done(Struct, frozen=True, kw_only=True):
    """A call with everything that goes on the record about it."""

    call: ToolUse
    outcome: Outcome
    records: list[Record]


class Deeds:
    """Writes down what the calls of one turn came to; whoever carried them out commits it."""

    def __init__(self, thread: LoadedThread, turn_id: str, principal: str, redact: Callable[[str], str]) -> None:
        self._thread = thread
        self._turn_id = turn_id
        self._principal = principal
        self._redact = redact

    def record(
        self,
        call: ToolUse,
        ran: Ran,
        *,
        request: ToolRequest | None,
        ruling: Ruling | None,
        cwd: str,
        effects: Sequence[Record],
    ) -> Done:
        """`cwd` is where it began; the thread has moved already where the call moved it."""
        outcome = self._recordable(ran.outcome)
        records: list[Record] = [
            Entry(
                entry_type=EntryType.FILE_HISTORY_SNAPSHOT,
                payload={**snapshot, "path": encodable(snapshot["path"])},
                turn_id=self._turn_id,
                tool_use_id=call.id,
            )
            for snapshot in ran.snapshots
        ]
        if ruling is not None:
            records.append(self._verdict(call, request, ruling))
        if ran.let_out is not None:
            records.append(self._verdict(call, request, ran.let_out))
        records.append(
            Entry(
                entry_type=EntryType.TOOL_RESULT,
                payload={"tool_use_id": call.id, "content": outcome.content, "is_error": outcome.is_error},
                turn_id=self._turn_id,
                tool_use_id=call.id,
                extra=_extra(outcome, ruling, encodable(cwd), encodable(self._thread.cwd), ran.duration_ms),
            )
        )
        records += effects
        if outcome.exit_code is not None and request is not None:
            records.append(self._receipt(request, outcome, encodable(cwd)))
        return Done(call=call, outcome=outcome, records=records)

    def _verdict(self, call: ToolUse, request: ToolRequest | None, ruling: Ruling) -> VerdictGiven:
        """With everything that is needed to decide the call again under other rules."""
        reason: dict[str, Any] = {
            "rule": ruling.decision.rule,
            "reason": ruling.decision.reason,
            "asked": ruling.asked,
            "by_default": ruling.by_default,
        }
        if request is not None:
            terms = self._thread.terms
            reason |= {
                "cwd": encodable(request.cwd),
                "paths": [encodable(path) for path in request.paths],
                "read_only": request.read_only,
                "confined": request.is_confined,
                "posture": terms.posture,
                "mode": terms.mode,
                "phase": terms.phase,
                "approved_plan": terms.has_approved_plan,
            }
        if ruling.input is not None:
            reason["input"] = ruling.input
        return VerdictGiven(
            turn_id=self._turn_id,
            tool_use_id=call.id,
            tool_name=call.name,
            decision=ruling.decision.verdict,
            reason=reason,
            principal=self._principal,
        )

    def _receipt(self, request: ToolRequest, outcome: Outcome, cwd: str) -> ReceiptIssued:
        """Proof that a command ran and how it ended, for whoever later claims that something passed."""
        from hashlib import sha256

        body = {
            "tool_use_id": request.tool_use_id,
            "command": request.input.get("command", ""),
            "cwd": cwd,
            "exit_code": outcome.exit_code,
            "output_sha256": sha256(outcome.content.encode()).hexdigest(),
        }
        return ReceiptIssued(kind="command", turn_id=self._turn_id, principal=self._principal, body=body)

    def _recordable(self, outcome: Outcome) -> Outcome:
        """Without known credentials, and without what is no text: a file may be called anything."""
        redact = self._redact
        changes = [
            Change(path=encodable(change.path), kind=change.kind, diff=redact(encodable(change.diff)))
            for change in outcome.changes
        ]
        return replace(outcome, content=redact(encodable(outcome.content)), changes=changes)


def encodable(text: str) -> str:
    """The text with what UTF-8 cannot say replaced."""
    return text.encode("utf-8", "replace").decode()


def _extra(outcome: Outcome, ruling: Ruling | None, cwd: str, cwd_after: str, duration_ms: int) -> dict[str, Any]:
    """What faces need to draw the call again, beside the specified payload."""
    extra: dict[str, Any] = {"durationMs": duration_ms, "cwd": cwd}
    if cwd_after != cwd:
        extra["cwdAfter"] = cwd_after
    if outcome.changes:
        extra["changes"] = outcome.changes
    if outcome.images:
        extra["images"] = [
            {"mediaType": image.media_type, "data": b2a_base64(image.data, newline=False).decode()}
            for image in outcome.images
        ]
    if outcome.todos is not None:
        extra["todos"] = outcome.todos
    if outcome.loaded:
        extra["loaded"] = outcome.loaded
    if outcome.exit_code is not None:
        extra["exitCode"] = outcome.exit_code
    if ruling is not None and ruling.input is not None:
        extra["updatedInput"] = ruling.input
    if ruling is not None and not ruling.allowed:
        extra["declined"] = True
    return extra
