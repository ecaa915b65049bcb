"""How does one turn run without a chat? A client of the protocol that asks nobody and shows what happens."""

import asyncio
import gc
import os
from contextlib import suppress
from typing import Any

from daedal.app import HouseOptions, open_house
from daedal.cli.absence import decline
from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.cli.options import Options, permissions_of
from daedal.cli.pursuing import Pursuit, pursue
from daedal.cli.rendering import Renderer
from daedal.cli.settings_folder import settings_folder
from daedal.cli.signals import Signals
from daedal.cli.streams import give_up, warn
from daedal.client import CallFailed, Client
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError, UsageError
from daedal.protocol.items import UserInput
from daedal.protocol.threads import (
    ThreadLimits,
    ThreadListParams,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
)
from daedal.protocol.turns import (
    Turn,
    TurnContinueParams,
    TurnInterruptParams,
    TurnStartParams,
)
from daedal.protocol.wire import Notification

RECENT_MAX = 50
"""Among so many sessions of a folder the one to continue is looked for."""


class Run:
    """One headless run: its thread, its turn, and what the person sees of it. Made inside the event loop."""

    def __init__(
        self,
        options: Options,
        prompt: list[UserInput],
        system_prompt: str | None,
        renderer: Renderer,
        signals: Signals,
    ) -> None:
        self._options = options
        self._prompt = prompt
        self._system_prompt = system_prompt
        self._renderer = renderer
        self._signals = signals
        self._pursuit = Pursuit()
        self._interrupted = asyncio.Event()
        self._work: asyncio.Task[int] | None = None
        self._thread_id = ""
        """Known once the thread is open."""
        self._has_turn = False
        self._trouble: Exception | None = None
        """Why nothing can be shown any more."""

    async def drive(self) -> int:
        self._work = asyncio.create_task(self._run())
        try:
            return await self._work
        except asyncio.CancelledError:
            return ExitCode.INTERRUPTED
        except (CallFailed, DaedalError) as failure:
            self._renderer.failed(str(failure), failure.kind)
            return of_kind(failure.kind)
        except OSError as trouble:
            if trouble is not self._trouble:
                raise
            return give_up(trouble)

    async def _run(self) -> int:
        options = self._options
        house = HouseOptions(
            cwd=await settings_folder(options),
            record=options.record,
            replay=options.replay,
            engine=options.engine,
            is_bare=options.bare,
        )
        async with open_house(house, on_event=self._see, on_request=decline, on_warning=warn) as client:
            self._signals.ask(self._stop)
            gc.freeze()
            gc.enable()
            thread = await self._open_thread(client)
            self._thread_id = thread.thread.id
            self._renderer.opened(thread)
            for notice in thread.notices:
                warn(notice)
            await self._open_turn(client, thread.thread.id)
            self._has_turn = True
            interruption = asyncio.create_task(self._interrupt_when_told(client, thread.thread.id))
            try:
                ended = await self._end_of_turn(client, thread.thread.id)
            finally:
                interruption.cancel()
            if self._trouble is not None:
                raise self._trouble
            code = self._pursuit.code(ended)
            self._renderer.ended(ended, code)
            # Where the end of the answer was thrown away, nobody shall take the beginning for all of it.
            return ExitCode.INTERRUPTED if self._signals.has_cut_output else code

    async def _open_thread(self, client: Client) -> ThreadStartResponse:
        options = self._options
        given: dict[str, Any] = dict(
            cwd=options.cd,
            model=options.model,
            effort=options.effort,
            model_provider=options.provider,
            planner_model=options.planner_model,
            base_instructions=self._system_prompt,
            setup="init" if options.init else "maintenance" if options.maintenance else None,
            **permissions_of(options),
            keep_tasks=options.keep_tasks,
            limits=ThreadLimits(max_turns=options.max_turns, max_budget_usd=options.max_budget_usd),
        )
        wanted = options.resume or (await self._latest(client) if options.go_on else None)
        if wanted is None:
            return await client.call("thread/start", ThreadStartParams(**given))
        resume = ThreadResumeParams(thread_id=wanted, exclude_turns=True, **given)
        return await client.call("thread/resume", resume)

    async def _latest(self, client: Client) -> str:
        """The folder's newest conversation. (A refused start, calls by hand and sub-agents have sessions too.)"""
        folder = os.path.realpath(self._options.cd or os.getcwd())
        recent = (await client.call("thread/list", ThreadListParams(limit=RECENT_MAX, cwd=folder))).data
        for thread in recent:
            if thread.model_provider and thread.preview and thread.parent_thread_id is None:
                return thread.id
        raise UsageError(say("cli.exec.nothing_to_continue", folder=folder))

    async def _open_turn(self, client: Client, thread_id: str) -> None:
        options, has_prompt = self._options, bool(self._prompt)
        is_about_goal = options.goal is not None or options.resume or options.go_on
        if is_about_goal and await pursue(client, thread_id, options, self._pursuit, has_prompt=has_prompt):
            return
        if has_prompt:
            may_become_goal = options.goal is None and not options.simple
            start = TurnStartParams(thread_id=thread_id, input=self._prompt, may_become_goal=may_become_goal)
            await client.call("turn/start", start)
        else:
            await client.call("turn/continue", TurnContinueParams(thread_id=thread_id))

    async def _end_of_turn(self, client: Client, thread_id: str) -> Turn:
        gone = asyncio.create_task(client.closed())
        over = self._pursuit.over
        await asyncio.wait([over, gone], return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not over.done():
            raise DaedalError(say("cli.exec.server_gone", id=thread_id))
        return over.result()

    async def _interrupt_when_told(self, client: Client, thread_id: str) -> None:
        await self._interrupted.wait()
        pursuit = self._pursuit
        if pursuit.is_active:
            from daedal.protocol.goal_calls import GoalSetParams
            from daedal.protocol.goals import GoalStatus

            await client.call("thread/goal/set", GoalSetParams(thread_id=thread_id, status=GoalStatus.PAUSED))
        while True:
            pursuit.moved.clear()
            if pursuit.turn_id:
                stop = TurnInterruptParams(thread_id=thread_id, turn_id=pursuit.turn_id)
                with suppress(CallFailed):  # It ended by itself in the same moment.
                    await client.call("turn/interrupt", stop)
            await pursuit.moved.wait()

    def _see(self, notification: Notification) -> None:
        """Whatever goes wrong while showing: the turn is stopped first, in order, and then it is said."""
        is_ours = self._is_ours(notification)
        if self._trouble is None:
            try:
                if is_ours:
                    self._renderer.event(notification)
                else:
                    self._renderer.aside(notification)
            except Exception as trouble:  # the top of a callback: it would end the client's reading
                self._trouble = trouble
                self._interrupted.set()
        if is_ours:
            self._pursuit.see(notification)

    def _is_ours(self, notification: Notification) -> bool:
        """Whether it is about the thread that was asked for, not about a sub-agent's."""
        about = getattr(notification.params, "thread_id", None)
        return not self._thread_id or about is None or about == self._thread_id

    def _stop(self) -> None:
        """The turn is interrupted and keeps its record; where there is none yet, there is nothing to keep."""
        self._interrupted.set()
        if not self._has_turn and self._work is not None:
            self._work.cancel()
