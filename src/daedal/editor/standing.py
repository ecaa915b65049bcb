"""What holds in a session, and what can a person choose there? Its mode, its model, and how hard that thinks.

An editor gets them as options of the session; one that knows only modes gets those. Both are kept in step.
"""

from collections.abc import Sequence
from typing import Any

from acp.schema import (
    ConfigOptionUpdate,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionModeState,
)

from daedal.editor.errors import wrong
from daedal.editor.modes import MODES, mode_state, mode_update
from daedal.protocol.catalogue import say
from daedal.protocol.lookups import Model
from daedal.protocol.thread_settings import ThreadSettings
from daedal.protocol.threads import ThreadStartResponse

MODE, MODEL, EFFORT = "mode", "model", "effort"
AUTO = "auto"


class Standing:
    """Of one session."""

    def __init__(self, models: Sequence[Model] = ()) -> None:
        """`models` are those to choose from; none where that is not up to us."""
        self.mode = "default"
        self.models = models
        self._model = ""
        self._provider = ""
        self._effort: str | None = None

    def begin(self, opened: ThreadStartResponse) -> None:
        self.mode = opened.permission_mode
        self._model, self._provider, self._effort = opened.model, opened.model_provider, opened.reasoning_effort

    def note(self, settings: ThreadSettings) -> list[Any]:
        """The updates that tell an editor what is different now."""
        before = (self.mode, self._model, self._provider, self._effort)
        was = self.mode
        self.mode = settings.permission_mode
        self._model, self._provider, self._effort = settings.model, settings.model_provider, settings.effort
        if before == (self.mode, self._model, self._provider, self._effort):
            return []
        update = ConfigOptionUpdate(session_update="config_option_update", config_options=list(self.options()))
        return [update] if was == self.mode else [mode_update(self.mode), update]

    @property
    def modes(self) -> SessionModeState:
        return mode_state(self.mode)

    def options(self) -> list[SessionConfigOptionSelect]:
        chosen = self._chosen()
        modes = [(mode, say(f"editor.mode.{mode}"), say(f"editor.mode.{mode}.about")) for mode in MODES]
        options = [_select(MODE, MODE, self.mode, modes)]
        if self.models:
            models = [(model.id, model.display_name, model.description) for model in self.models]
            current = chosen.id if chosen is not None else f"{self._provider}/{self._model}"
            if chosen is None:
                models.insert(0, (current, self._model, current))
            options.append(_select(MODEL, MODEL, current, models))
        if chosen is not None and chosen.supported_reasoning_efforts:
            efforts = [(AUTO, say("editor.effort.auto"), say("editor.effort.auto.about"))]
            efforts += [
                (each.reasoning_effort, each.reasoning_effort, each.description)
                for each in chosen.supported_reasoning_efforts
            ]
            options.append(_select(EFFORT, "thought_level", self._effort or AUTO, efforts))
        return options

    def wish(self, option: str, value: str) -> dict[str, str]:
        """What a choice of the person's is called in our protocol. Raises RequestError."""
        known = {each.id: each for each in self.options()}
        if option not in known:
            raise wrong(say("editor.unknown_option", option=option, known=", ".join(known)))
        values = [each.value for each in known[option].options if isinstance(each, SessionConfigSelectOption)]
        if value not in values:
            raise wrong(say("editor.unknown_value", option=option, value=value, known=", ".join(values)))
        return {{MODE: "permission_mode", MODEL: "model", EFFORT: "effort"}[option]: value}

    def _chosen(self) -> Model | None:
        there = [model for model in self.models if model.provider == self._provider]
        return next((model for model in there if self._model in (model.model, model.display_name)), None)


def _select(name: str, category: Any, current: str, values: list[tuple[str, str, str]]) -> SessionConfigOptionSelect:
    return SessionConfigOptionSelect(
        type="select",
        id=name,
        name=say(f"editor.option.{name}"),
        description=say(f"editor.option.{name}.about"),
        category=category,
        current_value=current,
        options=[
            SessionConfigSelectOption(value=value, name=shown, description=about or None)
            for value, shown, about in values
        ],
    )
