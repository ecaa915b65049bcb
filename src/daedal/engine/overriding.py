"""What may a turn change about its thread? Who is asked. The rest a client may repeat, but not change in passing."""

import os

from msgspec.structs import replace

from daedal.engine.thread import LoadedThread
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.turns import TurnStartParams


def take_over(thread: LoadedThread, params: TurnStartParams) -> None:
    """Holds from this turn on. Raises UsageError where something else is asked for than the thread has."""
    card = thread.provider.card
    names = (
        None,
        card.wire_model,
        card.model_id,
        f"{card.provider}/{card.model_id}",
        f"{card.provider}/{card.wire_model}",
    )
    if params.model not in names:
        raise UsageError(say("engine.turn_cannot_change", what="model", value=params.model, id=thread.id))
    if params.cwd is not None and os.path.realpath(params.cwd) not in (thread.workspace, thread.cwd):
        raise UsageError(say("engine.turn_cannot_change", what="cwd", value=params.cwd, id=thread.id))
    sandbox = params.sandbox_policy.get("type") if params.sandbox_policy is not None else None
    if sandbox not in (None, "workspaceWrite" if thread.terms.is_confined else "dangerFullAccess"):
        raise UsageError(say("engine.turn_cannot_change", what="sandboxPolicy", value=sandbox, id=thread.id))
    if params.approval_policy not in (None, thread.terms.posture):
        thread.terms = replace(thread.terms, posture=params.approval_policy)
        thread.gate = None
