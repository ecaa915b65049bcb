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
from daedal.app.live_rules import LiveRules
from daedal.app.piloting import Piloting
from daedal.app.prompting import prompts_of
from daedal.app.scratch import Scratch
from daedal.app.settings_watch import SettingsWatch
from daedal.app.startup import Startup, start_up
from daedal.app.usual import usual_of
from daedal.app.worktrees import GitWorktrees
from daedal.client import Client, pair
from daedal.config import FileInstructions, tasks_path
from daedal.engine import Delegation, NativeEngine, Terms, ThreadHooks, World
from daedal.protocol.catalogue import say
from daedal.protocol.content import Picture
from daedal.protocol.items import ImageInput, LocalImageInput
from daedal.protocol.judging import Gate, Hooks
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Instructions, Prompts, Provider, Restorer, Watch
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
    is_bare: bool = False
    """Neither logins nor what a project brings along."""
    thinking_tokens: int | None = None
    """What a model may use up for thinking, instead of what the settings say."""
    servers: list[dict[str, Any]] = []
    """MCP servers that whoever opens the house brings along, as entries of `plugins`; taken by their letter."""


class House(Struct, frozen=True):
    """What is behind the server."""

    engine: NativeEngine
    startup: Startup
    rules: LiveRules
    servers: "McpServers | None" = None


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
    startup = start_up(options.cwd, is_bare=options.is_bare)
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
    piloting = Piloting(lambda: engine, on_warning)
    rules = LiveRules()
    world = _world(options, startup, faces, spawner, equipment, rules=rules, servers=servers, warn=on_warning)
    world = replace(world, autopilot=piloting)
    if options.engine != "native":
        from daedal.app.hosting import hosted

        world = hosted(options.engine, startup, spawner, world, on_warning)
    engine = NativeEngine(world)
    try:
        if servers is not None:
            await _meet(servers, startup.settings.tools.mcp_wait_seconds, on_warning)
        yield House(engine, startup, rules, servers)
    finally:
        await engine.close()
        await piloting.close()
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
    has_own = bool(startup.settings.plugins or options.servers)
    if options.is_bare and not has_own:
        return None
    if not has_own and not (root and os.path.lexists(os.path.join(root, ".mcp.json"))):
        return None
    from daedal.app.serving import servers_of

    workspace = os.path.realpath(options.cwd or os.getcwd())
    return servers_of(
        startup, spawner, workspace, brought=options.servers, elicited=elicited, progressed=progressed, warn=warn
    )


async def _meet(servers: "McpServers", wait_s: int, warn: Callable[[str], None]) -> None:
    """Has them start in the background, and waits a while for those of which nobody knows what they offer."""
    from daedal.app.serving import KNOWN_AFTER_S, NOTICE_AFTER_S

    servers.start(known_after_s=KNOWN_AFTER_S)
    await servers.settled(min(wait_s, NOTICE_AFTER_S), strangers_only=True)
    if wait_s > NOTICE_AFTER_S and (strangers := servers.unmet()):
        warn(say("app.meeting", servers=", ".join(strangers), seconds=wait_s))
        await servers.settled(wait_s - NOTICE_AFTER_S, strangers_only=True)
    if strangers := servers.unmet():
        warn(say("app.not_met", servers=", ".join(strangers)))


def _world(
    options: HouseOptions,
    startup: Startup,
    faces: Faces,
    spawner: ProcessSpawner,
    equipment: Equipment,
    *,
    rules: LiveRules,
    servers: "McpServers | None",
    warn: Callable[[str], None],
) -> World:
    settings = startup.settings
    names = secret_names(settings)
    filled_in = servers.secrets() if servers else []
    redact = Redactor([*startup.credentials.secrets(names), *filled_in])
    startup.credentials.on_secret(redact.learn)

    def make_gate(terms: Terms, hooks: ThreadHooks) -> Gate:
        from daedal.app.gating import ThreadRules
        from daedal.engine import OrderedGate

        guard = None
        if terms.guard is not None:
            from daedal.app.guarding import guarding

            guard = guarding(terms, warn)
        book = ThreadRules(
            startup,
            terms,
            warn,
            guard.rules if guard else (),
            trusted_read_only=servers.trusted_read_only() if servers else (),
        )
        rules.keep(terms.thread_id, book)
        return OrderedGate(
            book,
            faces,
            hooks,
            thread_id=terms.thread_id,
            redact=redact,
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

    def make_restorer(terms: Terms) -> Restorer:
        from daedal.app.gating import walls_of
        from daedal.tools import FileRestorer

        # Whatever walls a thread has taken down: what it brings back stays in its workspace.
        return FileRestorer(walls_of(startup, replace(terms, is_confined=True, wants_walls=True)), terms.workspace)

    async def picture(given: ImageInput | LocalImageInput, terms: Terms, cwd: str) -> Picture:
        from daedal.app.picturing import Pictures

        return await Pictures(startup)(given, terms, cwd)

    return World(
        transcript=startup.ledger,
        pre_images=startup.ledger.pre_images,
        instructions=_instructions(options),
        prompts=_prompts(startup, servers),
        worktrees=GitWorktrees(spawner),
        faces=faces,
        connect=_connector(options, startup, redact),
        meet=equipment.meet,
        make_toolbox=equipment.toolbox,
        make_gate=make_gate,
        make_hooks=make_hooks,
        make_watch=make_watch,
        changed_settings=SettingsWatch(startup.files).changed,
        still_running=still_running,
        make_restorer=make_restorer,
        picture=picture,
        redact=redact,
        principal=f"person:{os.environ.get('USER') or os.getuid()}",
        settings=settings.agent,
        posture=Posture.ASK,
        usual=usual_of(startup),
    )


def _instructions(options: HouseOptions) -> Instructions:
    if not options.is_bare:
        return FileInstructions()
    from daedal.app.bare import NoInstructions

    return NoInstructions()


def _prompts(startup: Startup, servers: "McpServers | None") -> Prompts:
    own = prompts_of(startup)
    if servers is None:
        return own
    from daedal.app.served_prompts import ServedPrompts

    return ServedPrompts(own, servers)


def _connector(
    options: HouseOptions, startup: Startup, redact: Callable[[str], str]
) -> Callable[[str | None, str | None, str | None], Provider]:
    def find(provider: str | None, model: str | None, effort: str | None) -> Provider:
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
        choice = resolve(
            provider=provider,
            model=model,
            entries=startup.settings.providers,
            env=environment,
            is_supplied=startup.is_supplied,
        )
        if options.thinking_tokens is not None:
            choice = replace(choice, endpoint=replace(choice.endpoint, thinking_tokens=options.thinking_tokens))
        if effort is not None or choice.endpoint.thinking_tokens is not None:
            from daedal.providers import with_effort

            choice = with_effort(choice, None if options.thinking_tokens is not None else effort)
        connected = connect(choice, startup.settings.network, environment, startup.access(choice))
        if options.record:
            from daedal.providers import recording

            return recording(connected, options.record, redact)
        return connected

    return find
