"""Which hooks run here, and what did they do last? One that denied is another matter than one that broke."""

from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.inventory import FoldersParams, ListedHook
from daedal.protocol.lookups import RecordParams
from daedal.tui.face import Face
from daedal.tui.listing import listing
from daedal.tui.near_home import near_home
from daedal.tui.terminal.widths import Span

RUNS_MAX = 10
STYLES = {"ran": "good", "denied": "warn", "skipped": "quiet"}
"""All others broke."""


async def run(face: Face, arguments: str) -> None:
    del arguments
    folder = (await face.call("hooks/list", FoldersParams(cwds=[face.view.folder]))).data[0]
    hooks: list[ListedHook] = sorted([*folder.hooks, *folder.further], key=lambda hook: hook.display_order)
    notes = [*folder.warnings, *(() if hooks else (say("tui.hooks.none"),))]
    face.tell(listing(say("tui.hooks.title"), say("tui.hooks.headings"), [_row(hook) for hook in hooks], notes=notes))
    runs = await _runs(face)
    if runs:
        face.tell(listing(say("tui.hooks.last"), say("tui.hooks.run_headings"), [_told(one) for one in runs]))


async def _runs(face: Face) -> list[dict[str, Any]]:
    """Newest first. A thread without a turn is not on the record yet."""
    if not any(entry.turn_id for entry in face.view.entries):
        return []
    params = RecordParams(thread_id=face.view.thread_id, limit=RUNS_MAX)
    return (await face.call("thread/hookRuns/list", params)).data


def _row(hook: ListedHook) -> list[str | Span]:
    required = say("tui.hooks.required") if hook.required else ""
    event = hook.event_name[:1].upper() + hook.event_name[1:]
    return [event, hook.matcher or "*", hook.command, required, ("quiet", near_home(hook.source_path))]


def _told(one: dict[str, Any]) -> list[str | Span]:
    outcome = str(one.get("outcome") or "ran")
    known = outcome if outcome in ("ran", "denied", "failed", "timed_out", "invalid", "broken", "skipped") else "ran"
    what = say(f"tui.hooks.outcome_{known}", code=one.get("exitCode"), reason=one.get("skippedReason"))
    event = str(one.get("hookEvent"))
    subject = f"{event}({one['toolName']})" if one.get("toolName") else event
    said = str(one.get("stderrText") or "").strip()
    return [
        str(one.get("startedAt"))[11:19],
        subject,
        (STYLES.get(known, "bad"), what),
        str(one.get("command")),
        ("quiet", said),
    ]
