"""How does a thread begin afresh in a conversation that is there already? In its phase, with the settings of before."""

import os
from typing import Any

from msgspec.structs import replace

from daedal.engine.remembered import changed
from daedal.engine.world import World
from daedal.protocol.errors import UsageError
from daedal.protocol.records import StoredConversation
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.verdict import Posture


async def joined(
    world: World, params: ThreadStartParams, workspace: str
) -> tuple[StoredConversation, ThreadStartParams] | None:
    """The conversation, and the wishes as they were changed in it; None where there is nothing to join."""
    try:
        stored = await world.transcript.find_session(params.beside or "")
    except UsageError:
        return None  # It has had no turn yet.
    if os.path.realpath(stored.project_dir) != os.path.realpath(workspace):
        return None
    told = changed(await world.transcript.entries(stored.session_id))
    wishes = replace(params, **_kept(params, told, is_barred=world.usual.forbids_bypass))
    if stored.provider and stored.model_id:
        wishes = replace(wishes, model_provider=stored.provider, model=stored.model_id)
    return world.transcript.conversation(stored.conversation_id), wishes


def _kept(params: ThreadStartParams, told: dict[str, Any], *, is_barred: bool) -> dict[str, Any]:
    """What the person chose last, as far as nobody has forbidden it since. Plan mode is the conversation's to say."""
    posture, mode, effort = told.get("posture"), told.get("mode"), told.get("effort")
    kept: dict[str, Any] = {"permission_mode": None if params.permission_mode == "plan" else params.permission_mode}
    if posture and not (is_barred and posture == Posture.YOLO):
        kept["approval_policy"] = Posture(posture)
    if mode and not (is_barred and mode == "bypassPermissions"):
        kept["permission_mode"] = mode
    if effort:
        kept["effort"] = None if effort == "auto" else effort
    return kept
