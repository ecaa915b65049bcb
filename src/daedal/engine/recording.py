"""How is what happened in a turn put into records? Values in, records out; the turn decides when they are committed."""

from typing import Any

from msgspec import Struct

from daedal.engine.greeting import Said
from daedal.engine.history import IMAGE, freeze
from daedal.engine.prompt import render
from daedal.engine.reply import Listener, Reply
from daedal.protocol.ids import new_id
from daedal.protocol.model import ModelCard, SideCall, Usage
from daedal.protocol.records import (
    Entry,
    EntryType,
    Happened,
    ModelCalled,
    ReceiptIssued,
    Record,
    TurnClosed,
    TurnOpened,
    TurnStatus,
)
from daedal.protocol.seams import InstructionFile
from daedal.protocol.turns import ErrorKind, TurnError


def prompt(turn_id: str, principal: str, said: Said, item_id: str | None = None) -> list[Record]:
    """A turn begins with what the user said, what it refers to, and what hooks added. `item_id` is how faces see it."""
    texts = said.texts()
    shown = None if texts[0] == said.shown else said.shown
    opened = TurnOpened(turn_id=turn_id, principal=principal)
    return [opened, *picture_entries(turn_id, said), user_entry(turn_id, *texts, shown=shown, item_id=item_id)]


def picture_entries(turn_id: str, said: Said) -> list[Entry]:
    """The images that belong to the words in the entry after them."""
    return [
        Entry(
            entry_type=EntryType.ATTACHMENT,
            payload={
                "attachment": {
                    "type": IMAGE,
                    "name": picture.name,
                    "mediaType": picture.image.media_type,
                    "data": picture.image.data,
                }
            },
            turn_id=turn_id,
        )
        for picture in said.pictures
    ]


def user_entry(turn_id: str, *texts: str, shown: str | None = None, item_id: str | None = None) -> Entry:
    """`shown` is what faces show of it, where that is not the text itself."""
    payload = {"uuid": item_id or new_id(), "content": [{"type": "text", "text": text} for text in texts]}
    extra = {} if shown is None else {"shown": shown}
    return Entry(entry_type=EntryType.USER, payload=payload, turn_id=turn_id, extra=extra)


def assistant_entry(turn_id: str, reply: Reply) -> Entry:
    extra: dict[str, Any] = {"kept": [freeze(kept) for kept in reply.kept]} if reply.kept else {}
    if reply.usage.prompt_tokens:
        extra["promptTokens"] = reply.usage.prompt_tokens
    payload = {"uuid": reply.message_id or new_id(), "content": reply.blocks}
    return Entry(entry_type=EntryType.ASSISTANT, payload=payload, turn_id=turn_id, extra=extra)


def interrupted_entry(turn_id: str, text: str) -> Entry:
    """What the model had said when it was stopped."""
    payload = {"uuid": new_id(), "content": [{"type": "text", "text": text}]}
    return Entry(entry_type=EntryType.ASSISTANT, payload=payload, turn_id=turn_id, extra={"interrupted": True})


def intent(turn_id: str, reply: Reply) -> list[Record]:
    """What the model said and wants done; committed before any of it is."""
    calls = [
        Entry(
            entry_type=EntryType.TOOL_USE,
            payload={"id": call.id, "name": call.name, "input": call.input},
            turn_id=turn_id,
            tool_use_id=call.id,
        )
        for call in reply.calls
    ]
    return [assistant_entry(turn_id, reply), *calls]


def instruction_entry(turn_id: str, file: InstructionFile) -> Entry:
    attachment = {"type": "instructions", "path": file.path, "text": render(file)}
    return Entry(entry_type=EntryType.ATTACHMENT, payload={"attachment": attachment}, turn_id=turn_id)


def closing(turn_id: str, principal: str, status: TurnStatus, error: TurnError | None, *, steps: int) -> list[Record]:
    """A turn ends, with a receipt of how."""
    body = {"status": str(status), "steps": steps}
    records: list[Record] = [
        TurnClosed(
            turn_id=turn_id,
            status=status,
            error={"kind": str(error.kind), "message": error.message} if error else None,
        ),
        ReceiptIssued(kind="turn", turn_id=turn_id, principal=principal, body=body),
    ]
    if error:
        records.append(failure_event(error, turn_id))
    return records


def failure_event(error: TurnError, turn_id: str = "") -> Happened:
    detail = {"turn_id": turn_id, "error": stop_failure(error.kind), "error_details": error.message}
    return Happened(event_type="StopFailure", detail=detail)


def model_called(turn_id: str, card: ModelCard, reply: Reply, cost_usd: float | None) -> ModelCalled:
    return _called(turn_id, card, reply.usage, reply.duration_ms, reply.attempts, cost_usd=cost_usd)


def side_called(turn_id: str, side: SideCall, cost_usd: float | None) -> ModelCalled:
    """A call that a tool made, not the turn."""
    return _called(turn_id, side.card, side.usage, side.duration_ms, 1, cost_usd=cost_usd)


class Asked(Struct, frozen=True, kw_only=True):
    """What is known of a call that was made beside the dialogue."""

    usage: Usage
    attempts: int
    duration_ms: int
    cost_usd: float | None
    error: str | None


def summary_called(turn_id: str, card: ModelCard, asked: Asked) -> ModelCalled:
    """A call that sums up what is folded."""
    return _called(
        turn_id,
        card,
        asked.usage,
        asked.duration_ms,
        asked.attempts,
        cost_usd=asked.cost_usd,
        error=asked.error,
    )


def model_gave_up(turn_id: str, card: ModelCard, listener: Listener, error: str) -> ModelCalled:
    """A call that brought no reply; what it used is not known."""
    return _called(turn_id, card, Usage(), listener.duration_ms, listener.attempts, error=error)


def _called(
    turn_id: str,
    card: ModelCard,
    usage: Usage,
    duration_ms: int,
    attempts: int,
    *,
    cost_usd: float | None = None,
    error: str | None = None,
) -> ModelCalled:
    return ModelCalled(
        turn_id=turn_id,
        provider=card.provider,
        wire_model=card.wire_model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cost_usd=cost_usd,
        duration_ms=duration_ms,
        attempts=attempts,
        error=error,
    )


STOP_FAILURES = {
    ErrorKind.AUTHENTICATION: "authentication_failed",
    ErrorKind.CONFIGURATION: "invalid_request",
    ErrorKind.INVALID_REQUEST: "invalid_request",
    ErrorKind.RATE_LIMIT: "rate_limit",
    ErrorKind.SERVER: "server_error",
    ErrorKind.NETWORK: "server_error",
    ErrorKind.OUTPUT_LIMIT: "max_output_tokens",
    ErrorKind.BUDGET: "billing_error",
    ErrorKind.CONTEXT_WINDOW: "invalid_request",
}


def stop_failure(kind: ErrorKind) -> str:
    """The closed enum of StopFailure's `error`."""
    return STOP_FAILURES.get(kind, "unknown")
