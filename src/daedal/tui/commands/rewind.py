"""How does one go back to an earlier turn? A list of them, the newest first, with what each one did (Esc Esc)."""

import time

from daedal.protocol.catalogue import say
from daedal.protocol.rewinding import RewindListParams, RewindPoint
from daedal.tui.face import Face
from daedal.tui.near_here import near_here
from daedal.tui.overlays.searching import Found, Searching
from daedal.tui.overlays.sessions import ago
from daedal.tui.rewinding import choose_and_go_back, effect_rows
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut
from daedal.tui.view import Notice

LABEL_MAX = 60


class TurnPicker(Searching):
    keys = "tui.rewind.keys"

    def preview(self, columns: int) -> list[Row]:
        del columns
        point = self.chosen.value if self.chosen is not None else None
        if not isinstance(point, RewindPoint):
            return []
        rows: list[Row] = [
            [("quiet", f"{say(f'tui.rewind.{file.change}')}  "), ("", flat(near_here(file.path)))]
            for file in point.files
        ]
        return [*rows, *effect_rows(point.effects)]


async def run(face: Face, arguments: str) -> None:
    points = await points_of(face)
    if not points:
        face.tell(Notice(say("tui.rewind.nothing"), "warn"))
        return
    picker = TurnPicker(say("tui.rewind.title"), [_found(point) for point in reversed(points)], query=arguments.strip())
    point = await face.show(picker)
    if point is not None:
        await choose_and_go_back(face, point)


async def points_of(face: Face) -> list[RewindPoint]:
    """Oldest first; those that a rewind took out count no more, but the rewind itself can be undone."""
    answer = await face.call("thread/rewind/list", RewindListParams(thread_id=face.view.thread_id))
    return [point for point in answer.data if point.in_context or point.kind == "rewind"]


def _found(point: RewindPoint) -> Found:
    label = say("tui.rewind.a_rewind") if point.kind == "rewind" else cut(flat(point.text) or "…", LABEL_MAX)
    parts = [ago(time.time() - point.started_at)]
    if point.files:
        parts.append(say("tui.rewind.count_files", count=len(point.files)))
    if point.effects:
        parts.append(say("tui.rewind.count_effects", count=len(point.effects)))
    return Found(label=label if point.kind != "shell" else f"! {label}", about=" · ".join(parts), value=point)
