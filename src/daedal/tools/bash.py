"""How does the model run a command?"""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Job, Outcome
from daedal.sandbox import ConfinedSpawner, ProcessSpawner
from daedal.tools.errors import Blocked, Refused
from daedal.tools.output import outcome_of
from daedal.tools.settings import ToolSettings
from daedal.tools.shell import choose, timeout_ms_max
from daedal.tools.sizes import size
from daedal.tools.tool import BuiltinTool
from daedal.tools.whereabouts import CwdReport, lost, moved

if TYPE_CHECKING:
    from daedal.tools.backgrounds import Backgrounds

STREAM_BYTES_MAX = 1_048_576

COMMAND_BYTES_MAX = 130_000
"""Linux takes 128 KiB in one argument, and a little of ours goes before the command."""

BACKGROUND_TIMEOUT_MS_MAX = 7_200_000


class BashInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    command: str
    timeout: Annotated[int, Meta(ge=1)] | None = None
    description: str | None = None
    """For people who are asked about the command."""
    run_in_background: bool | None = None
    dangerouslyDisableSandbox: bool | None = None  # noqa: N815
    """A wish: the call then counts as unconfined, so a person is asked, and only that person can let it out."""


class Bash(BuiltinTool[BashInput]):
    def __init__(
        self,
        spec: ToolSpec,
        settings: ToolSettings,
        spawner: ProcessSpawner,
        walls: ConfinedSpawner | None,
        backgrounds: Callable[[], "Backgrounds"],
    ) -> None:
        super().__init__(spec, BashInput)
        self._shell = choose(settings.shell)
        self._default_ms = settings.bash_timeout_seconds * 1000
        self._spawner = spawner
        self._walls = walls if walls is not None and walls.confinement.enabled else None
        self._backgrounds = backgrounds

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a command hides its paths
        return []

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:  # noqa: ARG002 - the walls go along
        wants_out = arguments.get("dangerouslyDisableSandbox") not in (None, False)
        return not wants_out and self._walls is not None and self._walls.stands() is not None

    async def act(self, call: BashInput, bench: Bench) -> Outcome:
        if "\0" in call.command:
            raise Refused("The command contains a NUL byte, which no command line can.")
        if len(call.command.encode("utf-8", "replace")) > COMMAND_BYTES_MAX:
            raise Refused(
                f"The command is longer than the {size(COMMAND_BYTES_MAX)} that a command line takes."
                " Write it to a file and run that."
            )
        if not os.path.isdir(bench.cwd):
            return lost(bench)
        if call.run_in_background:
            return await self._start(call, bench)
        return await self._run(call, bench)

    async def _run(self, call: BashInput, bench: Bench) -> Outcome:
        timeout_s = self._timeout_s(call)
        walls = self._around(bench)
        refusals = 0 if walls is None else walls.refusals
        with CwdReport() as report:
            finish = await (walls or self._spawner).run(
                Job(
                    argv=self._shell.argv(report.prefix, call.command),
                    cwd=bench.cwd,
                    env=self._spawner.environment(),
                    timeout_s=timeout_s,
                    output_bytes_max=STREAM_BYTES_MAX,
                    pass_fds=(report.descriptor,),
                ),
                _without(report.prefix, bench.watch()),
            )
            told = report.read()
        outcome = outcome_of(call.command, finish, timeout_s, hidden=report.prefix)
        if walls is not None and outcome.is_error:
            from daedal.tools.blocking import blocked_effect, told_of_walls

            effect = blocked_effect(finish, walls, bench.cwd, walls.refused_since(refusals))
            outcome = told_of_walls(outcome, effect, walls)
        return self._inspected(moved(outcome, told, bench))

    def _inspected(self, outcome: Outcome) -> Outcome:
        """With what this command made and may not make, or one in the background before it."""
        found = [] if self._walls is None else self._walls.moved_aside()
        if not found:
            return outcome
        from daedal.tools.intrusions import told_of_moved

        return told_of_moved(outcome, found)

    def _around(self, bench: Bench) -> ConfinedSpawner | None:
        """What the call runs in; None where there shall be no walls, or a person let it out.

        Raises Blocked where there shall be walls and none can stand: whoever allowed the call allowed it within them.
        """
        if self._walls is None or bench.is_let_out:
            return None
        if self._walls.mechanism is None:
            raise Blocked(
                f"Nothing can confine commands here: {self._walls.gaps}. The user can install bubblewrap, or allow"
                " unconfined commands with --no-sandbox.",
                "running without a sandbox",
            )
        return self._walls

    def _timeout_s(self, call: BashInput) -> float | None:
        if call.timeout is None:
            return self._default_ms / 1000 or None
        return min(call.timeout, timeout_ms_max(self._default_ms) or call.timeout) / 1000

    async def _start(self, call: BashInput, bench: Bench) -> Outcome:
        job = Job(
            argv=self._shell.argv("", call.command),
            cwd=bench.cwd,
            env=self._spawner.environment(),
            timeout_s=None if call.timeout is None else min(call.timeout, BACKGROUND_TIMEOUT_MS_MAX) / 1000,
        )
        told = await self._backgrounds().start(call.command, job, bench, self._around(bench))
        return Outcome(content=told, loaded=["TaskOutput", "TaskStop"])


def _without(hidden: str, watch: Callable[[int, bytes], object] | None) -> Callable[[int, bytes], object] | None:
    """What is printed, without what we put before the command: the shell quotes it in messages about the first line."""
    if watch is None:
        return None
    prefix = hidden.encode()
    return lambda stream, chunk: watch(stream, chunk.replace(prefix, b"") if stream == 2 else chunk)
