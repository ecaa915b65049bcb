"""How hard does the model think? Chosen from what it can, or back to what the settings say."""

from daedal.protocol.catalogue import say
from daedal.protocol.lookups import Model, ModelListParams
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.view import Notice, View

AUTO = "auto"
"""What the settings say."""


async def run(face: Face, arguments: str) -> None:
    level = arguments.strip() or await _chosen(face)
    if not level:
        return
    params = ThreadSettingsUpdateParams(thread_id=face.view.thread_id, effort=level)
    answer = await face.call("thread/settings/update", params)
    face.view.settings(answer.thread_settings)
    now = face.view.effort
    face.tell(Notice(say("tui.effort.now", effort=now) if now else say("tui.effort.unset")))


async def complete(face: Face, arguments: str) -> list[Offer]:
    del arguments
    model = await _own(face)
    return [] if model is None else [Offer(level, about) for level, about in _described(model)]


async def _chosen(face: Face) -> str | None:
    model = await _own(face)
    if model is None or not model.supported_reasoning_efforts:
        face.tell(Notice(say("tui.effort.none", model=face.view.model), "warn"))
        return None
    options = [Option(level, level, about) for level, about in _described(model)]
    now = face.view.effort or AUTO
    at = next((number for number, option in enumerate(options) if option.value == now), 0)
    return await face.show(Choosing(say("tui.effort.choose", model=face.view.model), options, chosen=at))


def _described(model: Model) -> list[tuple[str, str]]:
    known = [(effort.reasoning_effort, effort.description) for effort in model.supported_reasoning_efforts]
    return [(AUTO, say("tui.effort.auto")), *known] if known else []


def levels_of(model: Model) -> list[str]:
    return [level for level, _ in _described(model)]


async def _own(face: Face) -> Model | None:
    view: View = face.view
    known = [model for model in await models(face) if model.provider == view.provider]
    return next((model for model in known if view.model in (model.model, model.display_name)), None)


async def models(face: Face) -> list[Model]:
    return (await face.call("model/list", ModelListParams())).data
