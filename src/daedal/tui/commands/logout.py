"""How does one log out? Here always, and at the issuer where that can be told."""

from daedal.protocol.accounts import AccountLogoutParams, AccountReadParams
from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    provider = arguments.strip() or face.view.provider or None
    before = await face.call("account/read", AccountReadParams(provider=provider))
    was_there = any(source.id == "login" and source.present for source in before.sources)
    await face.call("account/logout", AccountLogoutParams(provider=provider))
    after = await face.call("account/read", AccountReadParams(provider=provider))
    key = "tui.logout.done" if was_there else "tui.logout.was_not"
    face.tell(Notice(say(key, provider=after.provider, why=after.why)))
