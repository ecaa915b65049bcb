"""What has a turn changed so far? Its file changes, one after the other, as one patch."""

from daedal.protocol.events import DiffUpdated, Event, ItemCompleted, TurnCompleted
from daedal.protocol.items import Change, FileChange, ItemStatus

PATCH_CHARACTERS_MAX = 1_000_000


class Patches:
    """Of all turns that run."""

    def __init__(self) -> None:
        self._by_turn: dict[str, str] = {}

    def after(self, event: Event) -> DiffUpdated | None:
        """The patch of the event's turn, where the event changed it."""
        match event:
            case TurnCompleted(turn=turn):
                self._by_turn.pop(turn.id, None)
            case ItemCompleted(item=FileChange(status=ItemStatus.COMPLETED) as item):
                patch = self._by_turn.get(event.turn_id, "") + "".join(map(_patch, item.changes))
                self._by_turn[event.turn_id] = patch = patch[:PATCH_CHARACTERS_MAX]
                return DiffUpdated(thread_id=event.thread_id, turn_id=event.turn_id, diff=patch)
            case _:
                pass
        return None


def _patch(change: Change) -> str:
    path = change.path.lstrip("/")
    if change.kind.get("type") == "add":
        lines = change.diff.splitlines()
        added = "".join(f"+{line}\n" for line in lines)
        head = f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
        return f"{head}@@ -0,0 +1,{len(lines)} @@\n{added}"
    moved = str(change.kind.get("move_path") or change.path).lstrip("/")
    if not change.diff:
        return f"diff --git a/{path} b/{moved}\nrename from {path}\nrename to {moved}\n"
    ending = "" if change.diff.endswith("\n") else "\n"
    return f"diff --git a/{path} b/{moved}\n--- a/{path}\n+++ b/{moved}\n{change.diff}{ending}"
