"""How does a thread look to whoever asks for it? Loaded or only on the record, with its turns or without."""

import time

from daedal.engine.clock import epoch
from daedal.engine.planning import PLANNING
from daedal.engine.showing import stored_items
from daedal.engine.thread import LoadedThread
from daedal.protocol.records import StoredEntry, StoredSession, StoredTurn, TurnStatus
from daedal.protocol.thread_settings import ThreadSettings
from daedal.protocol.threads import Thread, ThreadStartResponse, ThreadStatus
from daedal.protocol.turns import ErrorKind, Turn, TurnError
from daedal.protocol.verdict import Posture

APPROVAL_POLICIES = {
    Posture.ASK: "untrusted",
    Posture.AUTO: "on-request",
    Posture.YOLO: "never",
    Posture.NEVER: "never",
}
"""How a client that was written for Codex reads them."""


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
        session_id=thread.id,
        ephemeral=thread.is_ephemeral,
        parent_thread_id=thread.parent.id if thread.parent is not None else None,
    )
    settings = settings_of(thread)
    return ThreadStartResponse(
        thread=shown,
        model=card.wire_model,
        model_provider=card.provider,
        cwd=thread.workspace,
        approval_policy=settings.approval_policy,
        posture=settings.posture,
        sandbox=settings.sandbox_policy,
        reasoning_effort=settings.effort,
        permission_mode=settings.permission_mode,
        phase=settings.phase,
        notices=thread.notices,
        instruction_sources=sorted(path for path in thread.instructed if path.endswith(".md")),
    )


def settings_of(thread: LoadedThread) -> ThreadSettings:
    """What holds for it now, or as soon as its model is asked again."""
    card, terms, usual = (thread.successor or thread.provider).card, thread.terms, thread.usual
    posture = Posture.ASK if usual.forbids_bypass and terms.posture is Posture.YOLO else terms.posture
    mode = "plan" if terms.phase == PLANNING else terms.mode or usual.mode
    if (mode == "plan" and terms.phase != PLANNING) or (mode == "bypassPermissions" and usual.forbids_bypass):
        mode = "default"
    return ThreadSettings(
        model=card.wire_model,
        model_provider=card.provider,
        effort=card.effort,
        approval_policy=APPROVAL_POLICIES[posture],
        posture=posture,
        permission_mode=mode,
        phase=terms.phase,
        sandbox_policy={"type": thread.sandbox},
        cwd=thread.cwd.encode("utf-8", "replace").decode(),
        collaboration_mode={
            "mode": "plan" if mode == "plan" else "default",
            "settings": {"model": card.wire_model, "reasoning_effort": card.effort, "developer_instructions": None},
        },
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
        session_id=stored.session_id,
        name=stored.name,
        forked_from_id=stored.forked_from,
        parent_thread_id=stored.worked_for,
    )


def stored_turns(turns: list[StoredTurn], entries: list[StoredEntry]) -> list[Turn]:
    by_turn: dict[str, list[StoredEntry]] = {}
    for entry in entries:
        by_turn.setdefault(entry.turn_id, []).append(entry)
    return [_turn(turn, by_turn.get(turn.turn_id, [])) for turn in turns]


def _turn(turn: StoredTurn, entries: list[StoredEntry]) -> Turn:
    return Turn(
        id=turn.turn_id,
        status=turn.status,
        items=stored_items(entries),
        items_view="full",
        error=_error(turn),
        started_at=epoch(turn.started_at),
        completed_at=epoch(turn.completed_at) if turn.completed_at else None,
    )


def turn_of(turn: StoredTurn, status: TurnStatus) -> Turn:
    """The turn itself, for whoever hears of its items one by one."""
    is_over = status is not TurnStatus.IN_PROGRESS
    return Turn(
        id=turn.turn_id,
        status=status,
        error=_error(turn) if is_over else None,
        started_at=epoch(turn.started_at),
        completed_at=epoch(turn.completed_at) if is_over and turn.completed_at else None,
    )


def _error(turn: StoredTurn) -> TurnError | None:
    if turn.error is None:
        return None
    return TurnError(message=turn.error["message"], kind=ErrorKind(turn.error["kind"]))
