"""How do the rooms become a running engine with a client? Ledger, provider, tools, gate, server: plugged here."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

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
from daedal.protocol.catalogue import say
from daedal.protocol.judging import Gate, Hooks
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Prompts, Provider, Watch
from daedal.protocol.service import Faces
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request
from daedal.providers import connect, resolve
from daedal.sandbox import ProcessSpawner, left_behind
from daedal.server import Hub

if TYPE_CHECKING:
    from daedal.app.serving import Served
    from daedal.engine import Elicitation, Report
    from daedal.mcp import McpServers, Replied


class HouseOptions(Struct, frozen=True, kw_only=True):
    """What a command line says about the house as a whole, not about one thread."""

    cwd: str | None = None
    record: str | None = None
    """Append the model's replies to this cassette."""
    replay: str | None = None
    """Take them from this one."""
    engine: str = "native"
    """Or `codex` or `claude`: whose agent works in the threads."""
    thinking_tokens: int | None = None
    """What a model may use up for thinking, instead of what the settings say."""


class House(Struct, frozen=True):
    """What is behind the server."""

    engine: NativeEngine
    startup: Startup


@asynccontextmanager
async def open_house(
    options: HouseOptions,
    *,
    on_event: Callable[[Notification], None],
    on_request: Callable[[Request], Awaitable[Any]],
    on_warning: Callable[[str], None],
) -> AsyncGenerator[Client]:
    """A client of Daedal's own engine in this process. Leaving ends what still runs and closes the record."""
    hub = Hub()
    near, far = pair()
    async with open_engine(options, hub, on_warning=on_warning) as house:
        serving = hub.serving(house.engine, far)
        client = Client(near, on_event=on_event, on_request=on_request)
        try:
            yield client
        finally:
            # Turns end first, while there is still somebody to tell.
            await house.engine.close()
            await client.close()
            serving.cancel()
            await asyncio.wait([serving])


@asynccontextmanager
async def open_engine(
    options: HouseOptions, faces: Faces, *, on_warning: Callable[[str], None]
) -> AsyncGenerator[House]:
    """Daedal's own engine, which tells these faces what it does. Leaving ends what still runs and closes the record."""
    startup = start_up(options.cwd)
    for warning in startup.warnings:
        on_warning(warning)
    for left in left_behind(tasks_path()):
        on_warning(left.sentence)
    names = secret_names(startup.settings)
    spawner = ProcessSpawner(names, notes=tasks_path())
    scratch = Scratch()

    async def delegate(thread_id: str, delegation: Delegation) -> "Report":
        return await engine.delegate(thread_id, delegation)

    async def elicited(thread_id: str, asked: "Elicitation") -> "Replied":
        from daedal.mcp import Replied

        reply = await engine.elicit(thread_id, asked)
        return Replied(action=reply.action, content=reply.content)  # type: ignore[arg-type]

    async def progressed(thread_id: str, call_id: str, message: str) -> None:
        await engine.tell_progress(thread_id, call_id, message)

    served = _served(options, startup, spawner, elicited=elicited, progressed=progressed, warn=on_warning)
    servers = served.servers if served is not None else None
    equipment = Equipment(startup, spawner, scratch, delegate=delegate, servers=served)
    world = _world(options, startup, faces, spawner, equipment, servers=servers, warn=on_warning)
    if options.engine != "native":
        from daedal.app.hosting import hosted

        world = hosted(options.engine, startup, spawner, world, on_warning)
    engine = NativeEngine(world)
    try:
        if servers is not None:
            await _meet(servers, on_warning)
        yield House(engine, startup)
    finally:
        await engine.close()
        if servers is not None:
            await servers.close()
        await spawner.close()
        scratch.close()
        startup.ledger.close()


def _served(
    options: HouseOptions,
    startup: Startup,
    spawner: ProcessSpawner,
    *,
    elicited: Callable[[str, "Elicitation"], Awaitable["Replied"]],
    progressed: Callable[[str, str, str], Awaitable[None]],
    warn: Callable[[str], None],
) -> "Served | None":
    """The MCP servers, where there are any; nothing of theirs is loaded where there are none."""
    root = startup.files.root
    if not startup.settings.plugins and not (root and os.path.lexists(os.path.join(root, ".mcp.json"))):
        return None
    from daedal.app.serving import servers_of

    workspace = os.path.realpath(options.cwd or os.getcwd())
    return servers_of(startup, spawner, workspace, elicited=elicited, progressed=progressed, warn=warn)


async def _meet(servers: "McpServers", warn: Callable[[str], None]) -> None:
    """Has them start in the background, and waits a while for those of which nobody knows what they offer."""
    from daedal.app.serving import KNOWN_AFTER_S, NOTICE_AFTER_S, STRANGERS_S

    servers.start(known_after_s=KNOWN_AFTER_S)
    await servers.settled(NOTICE_AFTER_S, strangers_only=True)
    if strangers := servers.unmet():
        warn(say("app.meeting", servers=", ".join(strangers), seconds=f"{STRANGERS_S:g}"))
        await servers.settled(STRANGERS_S, strangers_only=True)
    if strangers := servers.unmet():
        warn(say("app.not_met", servers=", ".join(strangers)))


def _world(
    options: HouseOptions,
    startup: Startup,
    faces: Faces,
    spawner: ProcessSpawner,
    equipment: Equipment,
    *,
    servers: "McpServers | None",
    warn: Callable[[str], None],
) -> World:
    settings = startup.settings
    names = secret_names(settings)
    filled_in = servers.secrets() if servers else []
    redact = Redactor([*startup.credentials.secrets(names), *filled_in])

    def make_gate(terms: Terms, hooks: ThreadHooks) -> Gate:
        from daedal.app.gating import ThreadRules
        from daedal.engine import OrderedGate

        guard = None
        if terms.guard is not None:
            from daedal.app.guarding import guarding

            guard = guarding(terms, warn)
        return OrderedGate(
            ThreadRules(
                startup,
                terms,
                warn,
                guard.rules if guard else (),
                trusted_read_only=servers.trusted_read_only() if servers else (),
            ),
            faces,
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
        prompts=_prompts(startup, servers),
        worktrees=GitWorktrees(spawner),
        faces=faces,
        connect=_connector(options, startup, redact),
        # A guest reaches such servers by itself, or not at all.
        meet=equipment.meet if options.engine == "native" else _nobody,
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


async def _nobody(terms: Terms) -> None:
    del terms


def _prompts(startup: Startup, servers: "McpServers | None") -> Prompts:
    own = prompts_of(startup)
    if servers is None:
        return own
    from daedal.app.served_prompts import ServedPrompts

    return ServedPrompts(own, servers)


def _connector(
    options: HouseOptions, startup: Startup, redact: Callable[[str], str]
) -> Callable[[str | None, str | None], Provider]:
    def find(provider: str | None, model: str | None) -> Provider:
        if options.replay:
            from daedal.providers import replaying

            return replaying(options.replay)
        if provider in ("codex", "claude") and model is not None:
            provider = model = None  # A session that a guest began goes on with a model of ours.
        if provider is None and model is None and startup.model is not None:
            provider, model = startup.model.provider, startup.model.model_id
        if provider is None and model is None:
            model = startup.settings.default_model or None
        environment = startup.credentials.environment()
        choice = resolve(provider=provider, model=model, entries=startup.settings.providers, env=environment)
        if options.thinking_tokens is not None:
            choice = replace(choice, endpoint=replace(choice.endpoint, thinking_tokens=options.thinking_tokens))
        connected = connect(choice, startup.settings.network, environment)
        if options.record:
            from daedal.providers import recording

            return recording(connected, options.record, redact)
        return connected

    return find
