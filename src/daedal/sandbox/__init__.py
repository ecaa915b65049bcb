"""How does a process start, and where does a path really lead? Starts and confines every process and every path."""

from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.paths import inside, resolve
from daedal.sandbox.programs import find_program, search_program
from daedal.sandbox.spawner import Background, ProcessSpawner, kill_everything

__all__ = [
    "Background",
    "ProcessSpawner",
    "SpawnFailed",
    "find_program",
    "inside",
    "kill_everything",
    "resolve",
    "search_program",
]
