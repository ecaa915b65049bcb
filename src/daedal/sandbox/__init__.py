"""How does a process start, and where does a path really lead? Starts and confines every process and every path.

Only what every start needs is loaded with the room; the rest of its names load when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.paths import inside, resolve
from daedal.sandbox.programs import find_program, search_program
from daedal.sandbox.spawner import Background, ProcessSpawner, kill_everything

if TYPE_CHECKING:
    from daedal.sandbox.cases import path_case
    from daedal.sandbox.confined import ConfinedSpawner, Mechanism
    from daedal.sandbox.mounts import steering
    from daedal.sandbox.opening import Spot, reach
    from daedal.sandbox.proof import Proof, prove
    from daedal.sandbox.settings import SandboxSettings, confinement
    from daedal.sandbox.variables import expand
    from daedal.sandbox.walls import Answer, Walls

__all__ = [
    "Answer",
    "Background",
    "ConfinedSpawner",
    "Mechanism",
    "ProcessSpawner",
    "Proof",
    "SandboxSettings",
    "SpawnFailed",
    "Spot",
    "Walls",
    "confinement",
    "expand",
    "find_program",
    "inside",
    "kill_everything",
    "path_case",
    "prove",
    "reach",
    "resolve",
    "search_program",
    "steering",
]

_LOADED_LATER = {
    "Answer": "walls",
    "ConfinedSpawner": "confined",
    "Mechanism": "confined",
    "Proof": "proof",
    "SandboxSettings": "settings",
    "confinement": "settings",
    "prove": "proof",
    "Spot": "opening",
    "Walls": "walls",
    "expand": "variables",
    "path_case": "cases",
    "reach": "opening",
    "steering": "mounts",
}


def __getattr__(name: str) -> object:
    if name not in _LOADED_LATER:
        raise AttributeError(name)
    value: object = getattr(import_module(f"{__name__}.{_LOADED_LATER[name]}"), name)
    globals()[name] = value
    return value
