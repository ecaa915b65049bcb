"""How does a session leave as a file? As Markdown for people or JSON for programs, without what looks like a secret."""

import time

from daedal.protocol.catalogue import say
from daedal.protocol.papers import ThreadExportParams
from daedal.tui.face import Face
from daedal.tui.keeping import keep
from daedal.tui.live.menu import Offer
from daedal.tui.past_turns import has_said
from daedal.tui.view import Notice

ENDINGS = {"markdown": "md", "json": "json", "jsonl": "jsonl"}
ID_SHOWN = 8


async def run(face: Face, arguments: str) -> None:
    if not has_said(face):
        face.tell(Notice(say("tui.export.nothing"), "warn"))
        return
    form, path = _meant(arguments.strip())
    thread_id = face.view.thread_id
    told = await face.call("thread/export", ThreadExportParams(thread_id=thread_id, format=form))
    name = path or f"daedal-{time.strftime('%Y-%m-%d')}-{thread_id[-ID_SHOWN:]}.{ENDINGS[form]}"
    kept = await keep(face, name, told.text)
    if kept is not None:
        face.tell(Notice(say("tui.export.done", path=kept, count=len(told.text.encode()))))


def _meant(arguments: str) -> tuple[str, str]:
    """The format, and the file where one is named."""
    first, _, rest = arguments.partition(" ")
    if first in ENDINGS:
        return first, rest.strip()
    by_ending = {ending: form for form, ending in ENDINGS.items()}
    return by_ending.get(arguments.rpartition(".")[2].lower(), "markdown"), arguments


async def complete(face: Face, arguments: str) -> list[Offer]:
    del face, arguments
    return [
        Offer("markdown", say("tui.export.markdown")),
        Offer("json", say("tui.export.json")),
        Offer("jsonl", say("tui.export.jsonl")),
    ]
