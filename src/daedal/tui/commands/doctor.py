"""What works here, what is missing, and what can be done about it?"""

from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import Checkup, DoctorResponse
from daedal.protocol.inventory import FolderParams
from daedal.tui.face import Face
from daedal.tui.listing import listing
from daedal.tui.terminal.widths import Span
from daedal.tui.view import Notice

MARKS = {"ok": ("good", "✓"), "warning": ("warn", "!"), "missing": ("bad", "✗")}


async def run(face: Face, arguments: str) -> None:
    del arguments
    face.tell(Notice(say("tui.doctor.looking")))
    found: DoctorResponse = await face.call("doctor/run", FolderParams(cwd=face.view.folder or None))
    wrong = sum(check.state == "missing" for check in found.checks)
    outcome = say("tui.doctor.wrong", count=wrong) if wrong else say("tui.doctor.fine")
    title = say("tui.doctor.title", version=found.version)
    face.tell(listing(title, say("tui.doctor.headings"), [_row(check) for check in found.checks], notes=[outcome]))


def _row(check: Checkup) -> list[str | Span]:
    style, mark = MARKS[check.state]
    advice = f" · {check.advice}" if check.advice else ""
    return [(style, mark), check.label, f"{check.detail}{advice}"]
