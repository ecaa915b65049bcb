"""Which modes can a person choose in the editor? The permission modes, under their own names."""

from acp.schema import CurrentModeUpdate, SessionMode, SessionModeState

from daedal.protocol.catalogue import say

PLAN = "plan"
DEFAULT = "default"
MODES = (DEFAULT, "acceptEdits", PLAN, "dontAsk", "bypassPermissions")


def mode_state(current: str) -> SessionModeState:
    modes = [
        SessionMode(id=mode, name=say(f"editor.mode.{mode}"), description=say(f"editor.mode.{mode}.about"))
        for mode in MODES
    ]
    return SessionModeState(current_mode_id=current, available_modes=modes)


def mode_update(mode: str) -> CurrentModeUpdate:
    return CurrentModeUpdate(session_update="current_mode_update", current_mode_id=mode)
