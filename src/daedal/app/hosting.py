"""Which engine thinks in the threads of this house? Where it is not our own, its host is put in the model's place."""

import os
from collections.abc import Callable

from daedal.app.startup import Startup
from daedal.config import home
from daedal.engine import Terms, World
from daedal.guests import ClaudeHost, CodexHost, Host, hosting
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement
from daedal.protocol.errors import UsageError
from daedal.providers import price_of
from daedal.sandbox import ProcessSpawner


def hosted(engine: str, startup: Startup, spawner: ProcessSpawner, world: World, warn: Callable[[str], None]) -> World:
    """What the engine cannot do is said here, when it is chosen. Raises UsageError."""

    def walls(terms: Terms) -> Confinement:
        from daedal.app.gating import walls_of

        return walls_of(startup, terms)

    host = _host(engine, startup, spawner)
    warn(say(f"guests.{engine}.limits"))
    return hosting(world, host, walls)


def _host(engine: str, startup: Startup, spawner: ProcessSpawner) -> Host:
    environment = startup.credentials.environment()
    folder = os.path.join(os.path.realpath(home()), "guests", engine)
    attempts_max = startup.settings.network.attempts_max
    match engine:
        case "codex":
            return CodexHost(
                spawner,
                home=folder,
                environment=environment,
                price_of=lambda model: price_of(model, startup.settings.providers),
                attempts_max=attempts_max,
            )
        case "claude":
            return ClaudeHost(spawner, home=folder, environment=environment, attempts_max=attempts_max)
        case _:
            raise UsageError(say("guests.unknown", engine=engine))
