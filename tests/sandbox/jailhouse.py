"""Where does a test try to break out? From a workspace within walls, with something worth having outside of it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ConfinedSpawner, ProcessSpawner

T = TypeVar("T")


class Jailhouse:
    """`ws` may be written, `outside` may not, whatever else the walls say."""

    def __init__(self, folder: Path) -> None:
        self.ws = folder / "ws"
        self.outside = folder / "outside"
        self.ws.mkdir()
        self.outside.mkdir()
        (self.outside / "precious").write_text("precious\n")
        self.walls_say: dict[str, Any] = {}

    def confinement(self) -> Confinement:
        said = {key: [str(path) for path in value] if isinstance(value, list) else value
                for key, value in self.walls_say.items()}  # fmt: skip
        writable = [str(self.ws), *said.pop("writable", [])]
        return Confinement(workspace=str(self.ws), writable=writable, **said)

    def job(self, script: str, **details: Any) -> Job:
        env = {**ProcessSpawner([]).environment(), **details.pop("env", {})}
        details = {"cwd": str(self.ws), "timeout_s": 30, **details}
        return Job(argv=["bash", "-c", script], env=env, **details)

    def within(self, scenario: Callable[[ConfinedSpawner], Awaitable[T]]) -> T:
        async def whole() -> T:
            spawner = ProcessSpawner([])
            try:
                return await scenario(spawner.within(self.confinement()))
            finally:
                await spawner.close()

        return asyncio.run(whole())

    def run(self, *scripts: str, **details: Any) -> Finish:
        """The scripts one after the other in the same jail; returns how the last ended."""

        async def scenario(walls: ConfinedSpawner) -> Finish:
            for script in scripts[:-1]:
                await walls.run(self.job(script, **details))
            return await walls.run(self.job(scripts[-1], **details))

        return self.within(scenario)

    def python(self, code: str) -> Finish:
        """The code under the system's Python inside, which has ctypes."""
        (self.ws / "attack.py").write_text(code)
        return self.run("python3 attack.py")
