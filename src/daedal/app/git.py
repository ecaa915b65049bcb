"""How is git run so that a repository has no say in what it starts? Within walls, and with nothing left to start.

A repository's own config names programs: hooks, filters, helpers. Whoever merely opened the repository has not trusted
it, so all of them are overridden; and where something can confine git, what was overlooked cannot do anything either.
"""

import os
from types import TracebackType

from daedal.config import secret_paths
from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner, SpawnFailed

TIMEOUT_S = 120.0
NONE_FOUND = 1

NEUTRAL = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.sshCommand": "false",
    "credential.helper": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
}
FILTER = {"smudge": "", "clean": "", "process": "", "required": "false"}

ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}
KEPT = ("GIT_EXEC_PATH",)
"""Of what git is told by its environment, what says where git itself is."""


class NeutralGit:
    """Git in one folder, until it is left."""

    def __init__(
        self, spawner: ProcessSpawner, folder: str, *, writable: list[str] | None = None, common: str = ""
    ) -> None:
        """`common` is the repository's own folder, of which what steers git is read-only even if it is writable."""
        self._spawner = spawner
        self._folder = folder
        steering = [os.path.join(common, name) for name in ("hooks", "config", "info")] if common else []
        places = dict.fromkeys(os.path.realpath(path) for path in writable or [])
        self._walls = spawner.within(
            Confinement(
                workspace=os.path.realpath(folder),
                writable=[path for path in places if os.path.isdir(path)],
                read_only=[path for path in steering if os.path.lexists(path)],
                unreadable=secret_paths(),
            )
        )
        self._settings: dict[str, str] | None = None

    async def __aenter__(self) -> "NeutralGit":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._walls.close()

    async def run(self, *words: str) -> Finish:
        """Raises SpawnFailed, also where git cannot tell what its config names."""
        if self._settings is None:
            self._settings = {**NEUTRAL, **await self._filters()}
        return await self._git(self._settings, *words)

    async def _filters(self) -> dict[str, str]:
        """Every filter that some config names, taken away. Reading a config starts nothing."""
        listed = await self._git(NEUTRAL, "config", "--name-only", "-z", "--get-regexp", r"^filter\.")
        if listed.exit_code not in (0, NONE_FOUND) or listed.stdout_truncated:
            raise SpawnFailed(listed.stderr.decode("utf-8", "replace").strip() or "its config is too long")
        keys = os.fsdecode(listed.stdout).split("\0")
        names = {key[: key.rindex(".")] for key in keys if key.count(".") > 1}
        return {f"{name}.{part}": value for name in sorted(names) for part, value in FILTER.items()}

    async def _git(self, settings: dict[str, str], *words: str) -> Finish:
        ground = self._walls if self._walls.mechanism is not None else self._spawner
        inherited = self._spawner.environment()
        environment = {name: value for name, value in inherited.items() if name in KEPT or not name.startswith("GIT_")}
        environment |= {**ENVIRONMENT, **_counted(settings)}
        argv = ["git", "--no-pager", *words]
        return await ground.run(Job(argv=argv, cwd=self._folder, env=environment, timeout_s=TIMEOUT_S))


def _counted(settings: dict[str, str]) -> dict[str, str]:
    """As git takes settings from its environment, under whatever name."""
    numbered = [
        pair
        for number, (key, value) in enumerate(settings.items())
        for pair in ((f"GIT_CONFIG_KEY_{number}", key), (f"GIT_CONFIG_VALUE_{number}", value))
    ]
    return {"GIT_CONFIG_COUNT": str(len(settings)), **dict(numbered)}
