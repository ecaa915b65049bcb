"""Which settings did the person change while the thread lived? They are on the record, and hold when it is resumed.

Plan mode is not among them: it is the conversation's phase. Neither do walls come down again by themselves: whoever
took them down was there then, and says so again.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from daedal.engine.terms import Terms, Usual
from daedal.protocol.records import Entry, EntryType, StoredEntry
from daedal.protocol.threads import ThreadOptions
from daedal.protocol.verdict import Posture

SUBTYPE = "settings"


def settings_entry(told: dict[str, Any], loaded: list[str]) -> Entry:
    extra = {"loaded": loaded} if loaded else {}
    return Entry(entry_type=EntryType.SYSTEM, payload={"subtype": SUBTYPE, **told}, extra=extra)


def changed(entries: Iterable[StoredEntry]) -> dict[str, Any]:
    """The newest word on each."""
    told: dict[str, Any] = {}
    for entry in entries:
        if entry.payload.get("subtype") == SUBTYPE:
            told.update(entry.payload)
    return told


def recalled(terms: Terms, options: ThreadOptions, told: dict[str, Any], usual: Usual) -> Terms:
    """The terms with what was changed, as far as `options` do not say otherwise and nobody has forbidden it since."""
    posture, mode, sandbox, effort = (told.get(key) for key in ("posture", "mode", "sandbox", "effort"))
    is_barred = usual.forbids_bypass
    if posture and options.approval_policy is None and not (is_barred and posture == Posture.YOLO):
        terms = replace(terms, posture=Posture(posture))
    if mode and options.permission_mode is None and not (is_barred and mode == "bypassPermissions"):
        terms = replace(terms, mode=mode)
    if sandbox in ("readOnly", "workspaceWrite") and options.sandbox is None:
        terms = replace(terms, is_read_only=sandbox == "readOnly", wants_walls=True)
    if effort and options.effort is None:
        terms = replace(terms, effort=None if effort == "auto" else effort)
    return terms


def recalled_effort(options: ThreadOptions, told: dict[str, Any]) -> str | None:
    effort = options.effort if options.effort is not None else told.get("effort")
    return None if effort == "auto" else effort
