"""Which model answers, and how hard does it think? Shows them by provider to choose from, or takes the one named."""

from daedal.protocol.catalogue import say
from daedal.protocol.lookups import Model
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams
from daedal.tui.commands.effort import AUTO, levels_of, models
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.searching import Found, Searching
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Notice, View


async def run(face: Face, arguments: str) -> None:
    wanted, _, effort = arguments.strip().partition(" ")
    if not wanted:
        chosen = await face.show(Models(await models(face), face.view))
        if chosen is None:
            return
        wanted, effort = chosen
    params = ThreadSettingsUpdateParams(thread_id=face.view.thread_id, model=wanted, effort=effort.strip() or None)
    answer = await face.call("thread/settings/update", params)
    face.view.settings(answer.thread_settings)
    view = face.view
    thinks = say("tui.model.thinks", effort=view.effort) if view.effort else ""
    face.tell(Notice(say("tui.model.now", model=view.model, provider=view.provider, thinks=thinks)))


async def complete(face: Face, arguments: str) -> list[Offer]:
    known = await models(face)
    wanted, space, _ = arguments.partition(" ")
    if not space:
        return [Offer(model.id, model.description) for model in known]
    model = next((model for model in known if wanted in (model.id, model.display_name, model.model)), None)
    return [] if model is None else [Offer(f"{wanted} {level}") for level in levels_of(model)]


class Models(Searching):
    """Finishes with a model's id and the effort that was chosen beside it; empty where it stays."""

    keys = "tui.model.keys"

    def __init__(self, known: list[Model], view: View) -> None:
        self._models = {model.id: model for model in known}
        self._effort: str | None = view.effort
        self._is_changed = False
        found = [
            Found(
                label=model.display_name,
                about=model.model if model.model != model.display_name else "",
                value=model.id,
                mark=say("tui.model.in_use") if _is(model, view) else "",
                group=model.provider,
            )
            for model in known
        ]
        super().__init__(say("tui.model.choose"), found)
        self._chosen = next((number for number, model in enumerate(known) if _is(model, view)), 0)

    def preview(self, columns: int) -> list[Row]:
        del columns
        model = self._models[str(self.chosen.value)] if self.chosen else None
        if model is None:
            return []
        levels = levels_of(model)
        if not levels:
            return [[("quiet", say("tui.model.no_effort"))]]
        row: Row = [("", f"{say('tui.model.effort')}  ")]
        for level in levels:
            is_chosen = level == (self._effort or AUTO)
            row += [("chosen" if is_chosen else "quiet", f"‹{level}›" if is_chosen else f" {level} ")]
        return [row]

    def key(self, key: Key) -> None:
        levels = levels_of(self._models[str(self.chosen.value)]) if self.chosen else []
        match key.name:
            case "left" | "right" if levels:
                now = self._effort or AUTO
                at = levels.index(now) if now in levels else 0
                self._effort = levels[(at + (1 if key.name == "right" else -1)) % len(levels)]
                self._is_changed = True
            case "enter":
                if self.chosen is not None:
                    effort = self._effort if self._is_changed and self._effort in levels else ""
                    self.finish((self.chosen.value, effort or ""))
            case _:
                super().key(key)


def _is(model: Model, view: View) -> bool:
    return model.provider == view.provider and view.model in (model.model, model.display_name)
