"""How does one have the model plan before it acts? Into plan mode and out of it again, and a look at the plan."""

from daedal.client import CallFailed
from daedal.protocol.catalogue import say
from daedal.protocol.items import AgentMessage
from daedal.protocol.papers import PlanReadParams, PlanReadResponse
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.past_turns import has_said
from daedal.tui.view import Notice

PLAN, DEFAULT = "plan", "default"
ON, OFF, SHOW = "on", "off", "show"


async def run(face: Face, arguments: str) -> None:
    wanted, is_planning = arguments.strip(), face.view.mode == PLAN
    match wanted:
        case "off" | "leave" | "exit":
            await _switch(face, DEFAULT, "tui.plan.off" if is_planning else "tui.plan.is_off")
        case "show":
            await _show(face)
        case "" if is_planning:
            await _show(face)
            face.tell(Notice(say("tui.plan.how_off")))
        case _:
            await _switch(face, PLAN, "tui.plan.is_on" if is_planning else "tui.plan.on")
            if wanted not in ("", ON):
                face.send(wanted)


async def complete(face: Face, arguments: str) -> list[Offer]:
    del arguments
    turned = Offer(OFF, say("tui.plan.about_off")) if face.view.mode == PLAN else Offer(ON, say("tui.plan.about_on"))
    return [turned, Offer(SHOW, say("tui.plan.about_show"))]


async def _switch(face: Face, mode: str, words: str) -> None:
    if face.view.mode != mode and PLAN in (mode, face.view.mode):
        params = ThreadSettingsUpdateParams(thread_id=face.view.thread_id, permission_mode=mode)
        face.view.settings((await face.call("thread/settings/update", params)).thread_settings)
    face.tell(Notice(say(words)))


async def _show(face: Face) -> None:
    told = await _plan(face)
    if told is None or told.content is None:
        face.tell(Notice(say("tui.plan.none")))
        return
    face.tell(Notice(say("tui.plan.shown", status=say(f"tui.plan.{told.status}"))))
    face.tell(AgentMessage(id="", text=told.content))


async def _plan(face: Face) -> PlanReadResponse | None:
    if not has_said(face):
        return None
    try:
        return await face.call("thread/plan/read", PlanReadParams(thread_id=face.view.thread_id))
    except CallFailed:
        return None  # Nothing of it is on the record yet.
