"""What helps to find out why something went wrong? A file with what is known, without secrets. It is sent nowhere."""

import asyncio
import os
import time
import zipfile

from daedal.config import home
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.papers import ReportPage, ReportReadParams
from daedal.tui.face import Face
from daedal.tui.panel import pairs
from daedal.tui.view import Notice

FOLDER = "reports"


async def run(face: Face, arguments: str) -> None:
    del arguments
    told = await face.call("report/read", ReportReadParams(thread_id=face.view.thread_id or None))
    path = os.path.join(home(), FOLDER, f"daedal-report-{time.strftime('%Y-%m-%d-%H%M%S')}.zip")
    try:
        await asyncio.to_thread(_written, path, told.data)
    except OSError as error:
        raise UsageError(say("tui.keep_failed", path=path, error=error.strerror or error)) from error
    face.tell(pairs(say("tui.report.done", path=path), [(page.name, page.about) for page in told.data]))
    face.tell(Notice(say("tui.report.look")))


def _written(path: str, pages: list[ReportPage]) -> None:
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for page in pages:
            bundle.writestr(page.name, page.text)
