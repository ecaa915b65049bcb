"""How do the rooms become a running engine with a client? Ledger, provider, tools, gate, server: plugged here."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct

from daedal.app.scratch import Scratch, temporary_folder
from daedal.app.startup import Startup, start_up
from daedal.client import Client, pair
from daedal.config import FileInstructions, dotenv_path, home
from daedal.engine import NativeEngine, World
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Gate, Provider, Toolbox
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request
from daedal.providers import connect, credential_names, resolve
from daedal.sandbox import ProcessSpawner
from daedal.server import Hub
from daedal.tools import builtin_tools


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
    names = credential_names(startup.settings.providers)
    spawner = ProcessSpawner(names)
    hub = Hub()
    scratch = Scratch()
    engine = NativeEngine(_world(options, startup, hub, spawner, scratch))
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


def _world(options: HouseOptions, startup: Startup, hub: Hub, spawner: ProcessSpawner, scratch: Scratch) -> World:
    settings = startup.settings
    names = credential_names(settings.providers)
    redact = Redactor(startup.credentials.secrets(names))
    secret = [os.path.realpath(dotenv_path()), *startup.ledger.files()]

    def make_toolbox() -> Toolbox:
        return builtin_tools(settings.tools, spawner, scratch_dir=scratch.folder, hidden=secret)

    def make_gate(posture: Posture, workspace: str) -> Gate:
        from daedal.engine import AskingGate
        from daedal.permissions import BaselinePolicy, Grounds

        grounds = Grounds(
            workspace=workspace,
            readable=[temporary_folder()],
            secret=secret,
            unwritable=[os.path.realpath(home())],
        )
        return AskingGate(BaselinePolicy(posture, grounds), hub, deadline_s=settings.agent.approval_timeout_s)

    return World(
        transcript=startup.ledger,
        pre_images=startup.ledger.pre_images,
        instructions=FileInstructions(),
        faces=hub,
        connect=_connector(options, startup, redact),
        make_toolbox=make_toolbox,
        make_gate=make_gate,
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
