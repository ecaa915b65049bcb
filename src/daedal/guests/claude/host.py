"""How does Claude come into the house? Which program, by which login, within our walls, with what switched off."""

from collections.abc import Mapping
from importlib.util import find_spec

from msgspec.structs import replace

from daedal.guests.claude.program import PACKAGE, login, program
from daedal.guests.claude.standing_in import OURS as STANDING_IN
from daedal.guests.guest import Guest, Stay
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import ModelCard
from daedal.sandbox import ProcessSpawner

NAME = "claude"
DEFAULT_MODEL = "default"
KEYS = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")


class ClaudeHost:
    """The `Host` of Claude. Its own file tools are held within our walls, since all of it is."""

    name = NAME
    takes_changes = True
    borrows = ("Agent", "Skill", *STANDING_IN)
    keeps_tools = False

    def __init__(
        self, spawner: ProcessSpawner, *, home: str, environment: Mapping[str, str], attempts_max: int = 5
    ) -> None:
        """`home` is Claude's folder here; `environment` has the keys that this process holds."""
        self._spawner = spawner
        self._home = home
        self._environment = environment
        self._attempts_max = attempts_max

    def confines(self, walls: Confinement) -> bool:
        """It runs no commands: ours stand in for them."""
        del walls
        return False

    def card(self, model: str | None) -> ModelCard:
        if find_spec(PACKAGE) is None:
            raise ConfigurationError(say("guests.claude.missing"))
        if program() is None:
            raise ConfigurationError(say("guests.claude.no_program"))
        if not any(self._environment.get(name) for name in KEYS) and login() is None:
            raise ConfigurationError(say("guests.claude.no_login"))
        model = model or DEFAULT_MODEL
        return ModelCard(provider=NAME, model_id=model, wire_model=model, sees_images=False)

    def invite(self, stay: Stay) -> Guest:
        from daedal.protocol.loading import models_when_used

        with models_when_used():
            from daedal.guests.claude.conversation import ClaudeGuest
            from daedal.guests.claude.launching import Launcher
        if stay.model == DEFAULT_MODEL:
            stay = replace(stay, model=None)
        launcher = Launcher(self._spawner, stay, self._home, self._environment, attempts_max=self._attempts_max)
        return ClaudeGuest(launcher, stay)
