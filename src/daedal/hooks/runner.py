"""What do the user's hooks say to this event? Runs those that match, one at a time, and merges what they say.

Above: the engine, which fires events and knows only the seam. Below: the spawner. Hooks run unconfined and with the
whole environment, which is why only trusted ones get here. Whatever a hook does, an answer comes back.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from daedal.hooks.apart import looking_apart
from daedal.hooks.hook import Hook
from daedal.hooks.matching import Undecided, matches
from daedal.hooks.merging import ends_chain, merge, updated_input
from daedal.hooks.outcomes import Ending, HookOutcome, judge
from daedal.hooks.points import POINTS
from daedal.hooks.recording import Recorder, now
from daedal.hooks.running import environment, run_hook
from daedal.hooks.telling import encoded, query_of, tell
from daedal.protocol.hooks import HookAnswer, HookEvent, HookScene
from daedal.protocol.records import HookRan
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Spawner

PRIOR_BLOCK = "prior_block_or_deny"
INTERRUPTED = "it was interrupted before it was done"
DISABLED = "SDLC_DISABLE_ALL_HOOKS"


class HookRunner:
    """The `Hooks` seam."""

    def __init__(
        self,
        hooks: Sequence[Hook],
        *,
        spawner: Spawner,
        redact: Redactor,
        db_path: str,
        project_dir: str,
        host: Mapping[str, str] = os.environ,
    ) -> None:
        """`hooks` in their total order; `host` is the environment that hooks inherit."""
        self._hooks = {event: [hook for hook in hooks if hook.event is event] for event in HookEvent}
        self._spawner = spawner
        self._redact = redact
        self._db_path = os.path.abspath(db_path)
        self._project_dir = project_dir
        self._host = host
        self._look_apart = looking_apart(spawner)

    def listens(self, event: HookEvent) -> bool:
        return bool(self._hooks[event])

    async def fire(self, event: HookEvent, scene: HookScene, fields: Mapping[str, Any]) -> HookAnswer:
        """Cancelled, it ends the hook under way; the rows until then are the arguments of the CancelledError."""
        told, trouble = self._told(event, scene, fields)
        recorder = Recorder(scene, self._redact)
        outcomes: list[HookOutcome] = []
        runs: list[HookRan] = []
        is_over = False
        stdin = encoded(told)
        for hook in self._hooks[event]:
            try:
                if not await self._concerns(hook, told, is_whole=not trouble):
                    continue
                obstacle = trouble
            except Undecided as error:
                obstacle = str(error)
            if skip := DISABLED if self._host.get(DISABLED) == "1" else PRIOR_BLOCK if is_over else "":
                runs.append(recorder.skipped(hook, told, stdin, skip))
                continue
            began = now()
            try:
                ending = Ending(trouble=obstacle) if obstacle else await self._run(hook, scene, stdin)
            except asyncio.CancelledError as cancelled:
                ending = Ending(trouble=INTERRUPTED)
                outcome = judge(event, hook.ordinal, ending, self._redact.value)
                runs.append(recorder.ran(hook, told, stdin, began=began, ending=ending, outcome=outcome))
                # There is no answer to hold the rows, and what ran is on the record all the same.
                raise asyncio.CancelledError(*runs) from cancelled
            outcome = judge(event, hook.ordinal, ending, self._redact.value, required=hook.required)
            outcomes.append(outcome)
            runs.append(recorder.ran(hook, told, stdin, began=began, ending=ending, outcome=outcome))
            is_over = ends_chain(event, outcome)
            if (changed := updated_input(outcome.output)) is not None:
                told = {**told, "tool_input": changed}
                stdin = encoded(told)
        return replace(merge(event, outcomes), runs=runs)

    def _told(self, event: HookEvent, scene: HookScene, fields: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """What hooks read, and why they cannot: a model can nest its input deeper than anybody can follow."""
        try:
            return tell(event, scene, self._redact.value(msgspec.to_builtins(dict(fields))), self._db_path), ""
        except RecursionError:
            flat = {key: value for key, value in fields.items() if isinstance(value, str | bool)}
            emptied: dict[str, Any] = {key: None for key in ("tool_input", "tool_response") if key in fields}
            told = tell(event, scene, self._redact.value({**flat, **emptied}), self._db_path)
            return told, "what happened is nested too deeply to be told"

    async def _run(self, hook: Hook, scene: HookScene, stdin: bytes) -> Ending:
        env = environment(self._host, db_path=self._db_path, project_dir=self._project_dir)
        return await run_hook(hook, stdin, scene.cwd, env, self._spawner)

    async def _concerns(self, hook: Hook, told: Mapping[str, Any], *, is_whole: bool) -> bool:
        """Whether matcher and condition want it to run; a call not told whole might be meant. Raises Undecided."""
        if not await matches(hook.matcher, query_of(POINTS[hook.event], told), self._look_apart):
            return False
        return not hook.condition or not is_whole or _holds(hook.condition, told)


def _holds(condition: str, told: Mapping[str, Any]) -> bool:
    """A condition is about a call: where there is none, it does not hold."""
    if "tool_name" not in told:
        return False
    from daedal.permissions import rule_matches

    given = told["tool_input"]
    if not isinstance(given, dict):
        return False
    called = cast("dict[str, Any]", given)
    return rule_matches(condition, told["tool_name"], called, told["cwd"], os.path.expanduser("~"))
