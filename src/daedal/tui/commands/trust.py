"""May what this folder's files say take effect? Shows what would count, and asks; trust can be taken back."""

from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import TrustState, TrustWriteParams
from daedal.protocol.inventory import FolderParams
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.panel import Panel
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Notice

STYLES = {"trusted": "good", "nothing": "quiet"}


async def run(face: Face, arguments: str) -> None:
    state: TrustState = await face.call("trust/read", FolderParams(cwd=face.view.folder or None))
    if arguments.strip() == "revoke":
        await _revoke(face, state)
        return
    _show(face, state)
    if state.state in ("trusted", "nothing") or state.obstacle:
        return
    options = [Option(say("tui.trust.yes"), value=True, letter="y"), Option(say("tui.trust.no"), letter="n")]
    if await face.show(Choosing(say("tui.trust.question"), options, chosen=1)):
        params = TrustWriteParams(trusted=True, seen=state.files, cwd=face.view.folder or None)
        done = await face.call("trust/write", params)
        face.tell(Notice(say("tui.trust.done", folder=done.folder), "good"))
    else:
        face.tell(Notice(say("tui.trust.not_done")))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del face, arguments
    return [Offer("revoke", say("tui.trust.about_revoke"))]


async def _revoke(face: Face, before: TrustState) -> None:
    if before.state not in ("trusted", "changed"):
        face.tell(Notice(say("tui.trust.was_not", folder=before.folder), "warn"))
        return
    await face.call("trust/write", TrustWriteParams(trusted=False, cwd=face.view.folder or None))
    face.tell(Notice(say("tui.trust.revoked", folder=before.folder)))


def _show(face: Face, state: TrustState) -> None:
    said = say(f"tui.trust.{state.state}", folder=flat(state.folder))
    rows: list[Row] = [[(STYLES.get(state.state, "warn"), said)]]
    rows += [[("accent", f"  {flat(item.file)}  "), ("", flat(item.text))] for item in state.items]
    rows += [[("bad", flat(state.obstacle))]] if state.obstacle else []
    face.tell(Panel(rows, hanging=4))
