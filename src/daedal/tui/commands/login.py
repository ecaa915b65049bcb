"""How does one log in? In the browser, or with a code that is typed in elsewhere; the chat waits meanwhile."""

import asyncio

from daedal.protocol.accounts import AccountLoginCancelParams, AccountLoginParams, AccountReadParams
from daedal.protocol.catalogue import say
from daedal.protocol.events import AccountLoginCompleted
from daedal.tui.face import Face
from daedal.tui.hearing import heard
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.waiting import Waiting
from daedal.tui.panel import Panel
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Notice

DEVICE = "device"


async def run(face: Face, arguments: str) -> None:
    words = arguments.split()
    kind = "chatgptDeviceCode" if DEVICE in words else "chatgpt"
    provider = next((word for word in words if word != DEVICE), face.view.provider or None)
    completed = heard(face.view, lambda event: isinstance(event, AccountLoginCompleted))
    try:
        begun = await face.call("account/login/start", AccountLoginParams(type=kind, provider=provider))
        face.tell(Panel(_told(begun.auth_url or begun.verification_url or "", begun.user_code or "")))
        ended = await waited(face, completed, say("tui.login.waiting"))
    finally:
        completed.cancel()
    if ended is None:
        await face.call("account/login/cancel", AccountLoginCancelParams(login_id=begun.login_id))
        face.tell(Notice(say("tui.login.cancelled"), "warn"))
    elif not ended.success:
        face.tell(Notice(ended.error or say("tui.login.cancelled"), "bad"))
    else:
        account = await face.call("account/read", AccountReadParams(provider=provider))
        face.tell(Notice(say("tui.login.done", why=account.why), "good"))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del face, arguments
    return [Offer(DEVICE, say("tui.login.device"))]


def _told(address: str, code: str) -> list[Row]:
    rows: list[Row] = [[("heading", say("tui.login.title"))]]
    if code:
        rows.append([("", f"  {say('tui.login.code')} "), ("bold accent", flat(code))])
    return [*rows, [("", f"  {say('tui.login.open')} "), ("link", flat(address, 4000))]]


async def waited(
    face: Face, event: asyncio.Future[AccountLoginCompleted], sentence: str
) -> AccountLoginCompleted | None:
    """None where the person gave up first."""
    overlay = Waiting(sentence)
    event.add_done_callback(lambda done: overlay.finish(None if done.cancelled() else done.result()))
    return await face.show(overlay)
