"""How does a process start, and where does a path really lead? Starts and confines every process and every path.

Only what every start needs is loaded with the room; the rest of its names load when they are first used.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.paths import inside, resolve
from daedal.sandbox.programs import find_program, search_program
from daedal.sandbox.spawner import Background, ProcessSpawner, kill_everything

if TYPE_CHECKING:
    from daedal.sandbox.cases import path_case
    from daedal.sandbox.confined import ConfinedSpawner, Mechanism
    from daedal.sandbox.detaching import detach
    from daedal.sandbox.environment import marked
    from daedal.sandbox.feeding import fed
    from daedal.sandbox.foreground import run_in_foreground
    from daedal.sandbox.intruders import Moved
    from daedal.sandbox.leftovers import LeftBehind
    from daedal.sandbox.opening import Spot, reach
    from daedal.sandbox.outputs import read_output
    from daedal.sandbox.piped import Piped
    from daedal.sandbox.presence import ourselves
    from daedal.sandbox.proof import prove
    from daedal.sandbox.roll import Entry, Roll
    from daedal.sandbox.settings import SandboxSettings, confinement
    from daedal.sandbox.spool import Excerpt
    from daedal.sandbox.stopping import is_running, stop_command
    from daedal.sandbox.traces import left_behind
    from daedal.sandbox.variables import expand
    from daedal.sandbox.walls import Answer, Walls
    from daedal.sandbox.what_steers import permit, steering

__all__ = [
    "Answer",
    "Background",
    "ConfinedSpawner",
    "Entry",
    "Excerpt",
    "LeftBehind",
    "Mechanism",
    "Moved",
    "Piped",
    "ProcessSpawner",
    "Roll",
    "SandboxSettings",
    "SpawnFailed",
    "Spot",
    "Walls",
    "confinement",
    "detach",
    "expand",
    "fed",
    "find_program",
    "inside",
    "is_running",
    "kill_everything",
    "left_behind",
    "marked",
    "ourselves",
    "path_case",
    "permit",
    "prove",
    "reach",
    "read_output",
    "resolve",
    "run_in_foreground",
    "search_program",
    "steering",
    "stop_command",
]

_FILES = {
    "Answer": "walls",
    "ConfinedSpawner": "confined",
    "Entry": "roll",
    "Excerpt": "spool",
    "LeftBehind": "leftovers",
    "Mechanism": "confined",
    "Moved": "intruders",
    "Piped": "piped",
    "Roll": "roll",
    "SandboxSettings": "settings",
    "Spot": "opening",
    "Walls": "walls",
    "confinement": "settings",
    "detach": "detaching",
    "expand": "variables",
    "fed": "feeding",
    "is_running": "stopping",
    "left_behind": "traces",
    "marked": "environment",
    "ourselves": "presence",
    "path_case": "cases",
    "permit": "what_steers",
    "prove": "proof",
    "reach": "opening",
    "read_output": "outputs",
    "run_in_foreground": "foreground",
    "steering": "what_steers",
    "stop_command": "stopping",
}

__getattr__ = loaded_when_used(__name__, _FILES)
