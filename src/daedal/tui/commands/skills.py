"""Which skills can the model load here? Listed, or one told about."""

from daedal.protocol.catalogue import say
from daedal.protocol.inventory import FolderSkills, FoldersParams
from daedal.tui.face import Face
from daedal.tui.listing import listing
from daedal.tui.live.menu import Offer
from daedal.tui.near_home import near_home
from daedal.tui.panel import pairs
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    found = await _found(face)
    name = arguments.strip().removeprefix("/")
    if not name:
        rows = [[f"/{one.name}", ("quiet", _scope(one.scope)), one.description] for one in found.skills]
        notes = [problem.message for problem in found.errors]
        notes += [say("tui.skills.how")] if found.skills else [say("tui.skills.none")]
        face.tell(listing(say("tui.skills.title"), say("tui.skills.headings"), rows, notes=notes))
        return
    one = next((one for one in found.skills if one.name == name), None)
    if one is None:
        face.tell(Notice(say("tui.skills.unknown", name=name), "warn"))
        return
    told = [
        (say("tui.skills.what"), one.description),
        (say("tui.skills.usage"), f"/{one.name} {one.argument_hint}".rstrip()),
        (say("tui.skills.runs"), say("tui.skills.apart" if one.runs_as_subagent else "tui.skills.here")),
        (say("tui.skills.from"), near_home(one.path)),
    ]
    face.tell(pairs(one.name, told))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del arguments
    return [Offer(one.name, one.description) for one in (await _found(face)).skills]


async def _found(face: Face) -> FolderSkills:
    return (await face.call("skills/list", FoldersParams(cwds=[face.view.folder]))).data[0]


def _scope(scope: str) -> str:
    return say("tui.skills.project" if scope == "repo" else "tui.skills.user")
