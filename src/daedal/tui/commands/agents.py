"""Who can be given a task here? Listed, or one told about."""

from daedal.protocol.catalogue import say
from daedal.protocol.inventory import AgentListResponse, FolderParams, ListedAgent
from daedal.tui.face import Face
from daedal.tui.listing import listing
from daedal.tui.live.menu import Offer
from daedal.tui.near_home import near_home
from daedal.tui.panel import pairs
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    found = await _found(face)
    name = arguments.strip()
    if not name:
        rows = [[one.name, _model(one), ("quiet", one.source), one.description] for one in found.data]
        face.tell(listing(say("tui.agents.title"), say("tui.agents.headings"), rows, notes=found.problems))
        return
    one = next((one for one in found.data if one.name == name), None)
    if one is None:
        face.tell(Notice(say("tui.agents.unknown", name=name), "warn"))
        return
    told = [
        (say("tui.agents.what"), one.description),
        (say("tui.agents.tools"), say("tui.agents.all") if one.tools is None else ", ".join(one.tools) or "–"),
        (say("tui.agents.model"), _model(one)),
        (say("tui.agents.from"), near_home(one.path) or one.source),
    ]
    face.tell(pairs(one.name, told))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del arguments
    return [Offer(one.name, one.description) for one in (await _found(face)).data]


async def _found(face: Face) -> AgentListResponse:
    return await face.call("agent/list", FolderParams(cwd=face.view.folder or None))


def _model(one: ListedAgent) -> str:
    return one.model or say("tui.agents.same")
