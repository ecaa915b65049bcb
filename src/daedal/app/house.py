"""How do the rooms become a running engine with a client? Ledger, provider, tools, gate, server: plugged here."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from daedal.app.credentials import secret_names
from daedal.app.equipping import Equipment
from daedal.app.prompting import prompts_of
from daedal.app.scratch import Scratch
from daedal.app.settings_watch import SettingsWatch
from daedal.app.startup import Startup, start_up
from daedal.app.worktrees import GitWorktrees
from daedal.client import Client, pair
from daedal.config import FileInstructions, tasks_path
from daedal.engine import Delegation, NativeEngine, Terms, ThreadHooks, World
from daedal.protocol.judging import Gate, Hooks
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Provider, Watch
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request
from daedal.providers import connect, resolve
from daedal.sandbox import ProcessSpawner, left_behind
from daedal.server import Hub

if TYPE_CHECKING:
    from daedal.engine import Report


class HouseOptions(Struct, frozen=True, kw_only=True):
    """What a command line says about the house as a whole, not about one thread."""

    cwd: str | None = None
    record: str | None = None
    """Append the model's replies to this cassette."""
    replay: str | None = None
    """Take them from this one."""


@asynccontextmanager
async def open_house(
    options: HouseOptions,
    *,
    on_event: Callable[[Notification], None],
    on_request: Callable[[Request], Awaitable[Any]],
    on_warning: Callable[[str], None],
) -> AsyncGenerator[Client]:
    """A client of Daedal's own engine in this process. Leaving ends what still runs and closes the record."""
    startup = start_up(options.cwd)
    for warning in startup.warnings:
        on_warning(warning)
    for left in left_behind(tasks_path()):
        on_warning(left.sentence)
    names = secret_names(startup.settings)
    spawner = ProcessSpawner(names, notes=tasks_path())
    hub = Hub()
    scratch = Scratch()

    async def delegate(thread_id: str, delegation: Delegation) -> "Report":
        return await engine.delegate(thread_id, delegation)

    equipment = Equipment(startup, spawner, scratch, delegate=delegate)
    engine = NativeEngine(_world(options, startup, hub, spawner, equipment, warn=on_warning))
    near, far = pair()
    serving = hub.serving(engine, far)
    client = Client(near, on_event=on_event, on_request=on_request)
    try:
        yield client
    finally:
        # Turns end first, while there is still somebody to tell.
        await engine.close()
        await client.close()
        serving.cancel()
        await asyncio.wait([serving])
        await spawner.close()
        scratch.close()
        startup.ledger.close()


def _world(
    options: HouseOptions,
    startup: Startup,
    hub: Hub,
    spawner: ProcessSpawner,
    equipment: Equipment,
    *,
    warn: Callable[[str], None],
) -> World:
    settings = startup.settings
    names = secret_names(settings)
    redact = Redactor(startup.credentials.secrets(names))

    def make_gate(terms: Terms, hooks: ThreadHooks) -> Gate:
        from daedal.app.gating import ThreadRules
        from daedal.engine import OrderedGate

        guard = None
        if terms.guard is not None:
            from daedal.app.guarding import guarding

            guard = guarding(terms, warn)
        return OrderedGate(
            ThreadRules(startup, terms, warn, guard.rules if guard else ()),
            hub,
            hooks,
            thread_id=terms.thread_id,
            guard=guard,
            deadline_s=settings.agent.approval_timeout_s,
        )

    def make_hooks(workspace: str) -> Hooks | None:
        if not settings.hooks:
            return None
        from daedal.app.hooking import hooks_of

        return hooks_of(startup, spawner, redact, workspace, warn)

    def make_watch(tell: Callable[[str, str], Awaitable[None]]) -> Watch:
        from daedal.hooks import FileWatch

        return FileWatch(tell)

    def still_running(session_id: str) -> str:
        if not os.path.isdir(tasks_path()):
            return ""
        from daedal.tools import still_running

        return still_running(session_id)

    return World(
        transcript=startup.ledger,
        pre_images=startup.ledger.pre_images,
        instructions=FileInstructions(),
        prompts=prompts_of(startup),
        worktrees=GitWorktrees(spawner),
        faces=hub,
        connect=_connector(options, startup, redact),
        make_toolbox=equipment.toolbox,
        make_gate=make_gate,
        make_hooks=make_hooks,
        make_watch=make_watch,
        changed_settings=SettingsWatch(startup.files).changed,
        still_running=still_running,
        redact=redact,
        principal=f"person:{os.environ.get('USER') or os.getuid()}",
        settings=settings.agent,
        posture=Posture.ASK,
    )


def _connector(
    options: HouseOptions, startup: Startup, redact: Callable[[str], str]
) -> Callable[[str | None, str | None], Provider]:
    def find(provider: str | None, model: str | None) -> Provider:
        if options.replay:
            from daedal.providers import replaying

            return replaying(options.replay)
        if provider is None and model is None and startup.model is not None:
            provider, model = startup.model.provider, startup.model.model_id
        if provider is None and model is None:
            model = startup.settings.default_model or None
        environment = startup.credentials.environment()
        choice = resolve(provider=provider, model=model, entries=startup.settings.providers, env=environment)
        connected = connect(choice, startup.settings.network, environment)
        if options.record:
            from daedal.providers import recording

            return recording(connected, options.record, redact)
        return connected

    return find
