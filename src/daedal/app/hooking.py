"""Which hooks does a thread have? Those of the settings in force, in their total order."""

from collections.abc import Callable, Mapping

from daedal.app.startup import Startup
from daedal.config import changed_script, project_root
from daedal.hooks import Hook, HookRunner, load_hooks, total_order
from daedal.protocol.catalogue import say
from daedal.protocol.judging import Hooks
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Finish, Job, Spawner
from daedal.sandbox import SpawnFailed


class VouchedSpawner:
    """Starts what hooks need, except a script of the project's that is no longer what the person trusted."""

    def __init__(self, spawner: Spawner, vouched: Mapping[str, str], root: str) -> None:
        self._spawner = spawner
        self._vouched = vouched
        self._root = root

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return self._spawner.environment(extra)

    async def run(self, job: Job) -> Finish:
        if changed := changed_script(self._vouched, job.argv[-1], self._root):
            raise SpawnFailed(say("config.trust.script_changed", path=changed))
        return await self._spawner.run(job)


def hooks_of(
    startup: Startup, spawner: Spawner, redact: Redactor, workspace: str, warn: Callable[[str], None]
) -> Hooks | None:
    hooks, warnings = configured_hooks(startup)
    for warning in warnings:
        warn(warning)
    if not hooks:
        return None
    if vouched := startup.effective.vouched:
        spawner = VouchedSpawner(spawner, vouched, project_root(workspace))
    return HookRunner(hooks, spawner=spawner, redact=redact, db_path=startup.ledger.path, project_dir=workspace)


def configured_hooks(startup: Startup) -> tuple[list[Hook], list[str]]:
    """With a warning for each entry that is none, naming file and line."""
    hooks, warnings = load_hooks(startup.settings.hooks, lambda index: startup.origin("hooks", index))
    return list(total_order(hooks)), warnings
