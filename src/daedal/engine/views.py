"""How does a thread look to whoever asks for it? Loaded or only on the record, with its turns or without."""

import time

from daedal.engine.clock import epoch
from daedal.engine.showing import stored_items
from daedal.engine.thread import LoadedThread
from daedal.protocol.records import StoredEntry, StoredSession, StoredTurn
from daedal.protocol.threads import Thread, ThreadStartResponse, ThreadStatus
from daedal.protocol.turns import ErrorKind, Turn, TurnError


def loaded_view(thread: LoadedThread, status: ThreadStatus) -> ThreadStartResponse:
    card = thread.provider.card
    shown = Thread(
        id=thread.id,
        preview=thread.preview,
        model_provider=card.provider,
        model=card.wire_model,
        cwd=thread.workspace,
        created_at=thread.created_at,
        updated_at=int(time.time()),
        status=status,
    )
    return ThreadStartResponse(
        thread=shown,
        model=card.wire_model,
        model_provider=card.provider,
        cwd=thread.workspace,
        approval_policy=thread.terms.posture,
        sandbox={"type": "workspaceWrite" if thread.terms.is_confined else "dangerFullAccess"},
        instruction_sources=sorted(path for path in thread.instructed if path.endswith(".md")),
    )


def stored_view(stored: StoredSession, status: ThreadStatus, turns: list[Turn] | None = None) -> Thread:
    return Thread(
        id=stored.session_id,
        preview=stored.preview,
        model_provider=stored.provider,
        model=stored.model_id,
        cwd=stored.project_dir,
        created_at=epoch(stored.started_at),
        updated_at=epoch(stored.last_active),
        status=status,
        turns=turns or [],
    )


def stored_turns(turns: list[StoredTurn], entries: list[StoredEntry]) -> list[Turn]:
    by_turn: dict[str, list[StoredEntry]] = {}
    for entry in entries:
        by_turn.setdefault(entry.turn_id, []).append(entry)
    return [
        Turn(id=turn.turn_id, status=turn.status, items=stored_items(by_turn.get(turn.turn_id, [])), error=_error(turn))
        for turn in turns
    ]


def _error(turn: StoredTurn) -> TurnError | None:
    if turn.error is None:
        return None
    return TurnError(message=turn.error["message"], kind=ErrorKind(turn.error["kind"]))
