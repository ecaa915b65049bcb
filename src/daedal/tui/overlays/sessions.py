"""Which session was it? Those of the folder, the newest first, to search through, with a look at the chosen one."""

import os
import time

from daedal.client import CallFailed
from daedal.protocol.catalogue import say
from daedal.protocol.items import AgentMessage, UserMessage
from daedal.protocol.shelving import TurnListParams
from daedal.protocol.threads import Thread, ThreadListParams
from daedal.protocol.turns import Turn
from daedal.tui.face import Face
from daedal.tui.overlays.searching import Found, Searching
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut
from daedal.tui.view import Notice

LISTED_MAX = 300
LOOKED_AT_TURNS = 3
LABEL_MAX = 60
SPAN_S = ((86400, "tui.sessions.days"), (3600, "tui.sessions.hours"), (60, "tui.sessions.minutes"))


async def pick(face: Face, query: str = "") -> str | None:
    """The id of a session of this folder; None where none was chosen."""
    folder = _here(face)
    picker = SessionPicker(face, await _listed(face, folder), query=query)
    chosen: Thread | None = await face.show(picker)
    if chosen is None:
        return None
    if os.path.realpath(chosen.cwd) != folder:
        # Its own settings, rules and hooks belong to it, and those of a process are its folder's.
        face.tell(Notice(say("tui.sessions.elsewhere", folder=chosen.cwd, id=chosen.id), "warn"))
        return None
    return chosen.id


def _here(face: Face) -> str:
    return os.path.realpath(face.view.folder or face.outside.thread.cwd or os.getcwd())


async def _listed(face: Face, folder: str | None) -> list[Thread]:
    """Those in which something was said; sub-agents have theirs in passing."""
    answer = await face.call("thread/list", ThreadListParams(limit=LISTED_MAX, cwd=folder))
    return [thread for thread in answer.data if thread.parent_thread_id is None and (thread.preview or thread.name)]


class SessionPicker(Searching):
    keys = "tui.sessions.keys"

    def __init__(self, face: Face, threads: list[Thread], *, query: str = "") -> None:
        self._face = face
        self._is_everywhere = False
        self._looks: dict[str, list[Turn]] = {}
        super().__init__(say("tui.sessions.title"), self._found(threads), query=query)
        self.moved()

    def _found(self, threads: list[Thread]) -> list[Found]:
        return [
            Found(
                label=cut(flat(thread.name or thread.preview), LABEL_MAX),
                about=self._about(thread),
                mark=say("tui.sessions.running", pid=thread.held_by.pid or "?") if thread.held_by else "",
                value=thread,
            )
            for thread in threads
        ]

    def _about(self, thread: Thread) -> str:
        parts = [ago(time.time() - thread.updated_at), thread.model]
        if thread.id == self._face.view.thread_id:
            parts.insert(0, say("tui.sessions.this"))
        if thread.forked_from_id:
            parts.append(say("tui.sessions.forked"))
        if self._is_everywhere:
            parts.append(thread.cwd)
        return " · ".join(filter(None, parts))

    def moved(self) -> None:
        thread = self.chosen.value if self.chosen is not None else None
        if isinstance(thread, Thread) and thread.id not in self._looks:
            self._looks[thread.id] = []
            self._face.work(self._look_at(thread.id))

    async def _look_at(self, thread_id: str) -> None:
        params = TurnListParams(thread_id=thread_id, limit=LOOKED_AT_TURNS, items_view="full", sort_direction="desc")
        try:
            self._looks[thread_id] = list(reversed((await self._face.call("thread/turns/list", params)).data))
        except CallFailed:
            return
        self._face.redraw()

    def preview(self, columns: int) -> list[Row]:
        thread = self.chosen.value if self.chosen is not None else None
        if not isinstance(thread, Thread):
            return []
        rows: list[Row] = [[("quiet", f"{thread.id}  {flat(thread.cwd)}")]]
        for turn in self._looks.get(thread.id, []):
            for item in turn.items:
                match item:
                    case UserMessage():
                        said = " ".join(getattr(part, "text", "") for part in item.content)
                        rows.append([("accent", "› "), ("user", cut(flat(said), columns - 2))])
                    case AgentMessage():
                        rows.append([("", cut(f"  {flat(item.text)}", columns))])
                    case _:
                        pass
        return rows

    def key(self, key: Key) -> None:
        if key.name == "ctrl+a":
            self._is_everywhere = not self._is_everywhere
            self._face.work(self._again())
            return
        super().key(key)

    async def _again(self) -> None:
        folder = None if self._is_everywhere else _here(self._face)
        self.put(self._found(await _listed(self._face, folder)))
        self.title = say("tui.sessions.title_all") if self._is_everywhere else say("tui.sessions.title")
        self._face.redraw()


def ago(seconds: float) -> str:
    for span, words in SPAN_S:
        if seconds >= span:
            return say(words, count=int(seconds // span))
    return say("tui.sessions.now")
