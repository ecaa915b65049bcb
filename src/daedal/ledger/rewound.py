"""What of a record does a thread still know? Everything but the turns that a rewind took out, and the rewinds."""

from collections.abc import Sequence

from daedal.protocol.records import EntryType, StoredEntry


def standing(entries: list[StoredEntry]) -> list[StoredEntry]:
    """Without what was taken out. Nearly always that is all of them."""
    found = [entry for entry in entries if _is_rewind(entry)]
    if not found:
        return entries
    out = gone(found)
    return [entry for entry in entries if entry.turn_id not in out]


def gone(found: Sequence[StoredEntry]) -> frozenset[str]:
    from daedal.protocol.rewinding import out_of_context

    return out_of_context(found) | {entry.turn_id for entry in found}


def _is_rewind(entry: StoredEntry) -> bool:
    return entry.entry_type is EntryType.SYSTEM and str(entry.payload.get("subtype")).startswith("rewind")
