"""What does a thread open with? Its terms, what its model is told first, its tools, and the model itself."""

import os
import time

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine.absent import AbsentProvider
from daedal.engine.hooking import ThreadHooks
from daedal.engine.planning import EXIT, PLANNING
from daedal.engine.prompt import own_prompt
from daedal.engine.terms import Terms
from daedal.engine.thread import LoadedThread, offered
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.protocol.model import Brief
from daedal.protocol.seams import Provider, Toolbox
from daedal.protocol.threads import ThreadOptions, ThreadResumeParams, ThreadStartParams

UNCONFINED = "danger-full-access"
READ_ONLY = "read-only"


class Opening(Struct, frozen=True):
    """On which terms a thread works, what its model is told first, and what it can do."""

    terms: Terms
    system: str
    toolbox: Toolbox
    loaded: frozenset[str] = frozenset()
    """Deferred tools that its model has looked up before."""


class Opener:
    def __init__(self, world: World) -> None:
        self._world = world

    def _terms(self, session_id: str, workspace: str, options: ThreadOptions) -> Terms:
        # Plan mode is the phase `planning`: the gate reads one word, wherever it was said.
        usual = self._world.usual
        mode = options.permission_mode or usual.mode
        is_open = options.sandbox == UNCONFINED and not (usual.forbids_bypass or usual.keeps_walls)
        return Terms(
            thread_id=session_id,
            workspace=workspace,
            posture=options.approval_policy or self._world.posture,
            is_confined=not is_open,
            wants_walls=usual.keeps_walls,
            mode=options.permission_mode,
            allow=options.allow,
            deny=options.deny,
            guard=options.guard,
            allow_destructive=options.allow_destructive,
            keep_tasks=options.keep_tasks,
            mcp_servers=options.mcp_servers,
            effort=options.effort,
            is_read_only=options.sandbox == READ_ONLY,
            phase=PLANNING if mode == "plan" else "idle",
        )

    def _thread(
        self, conversation_id: str, provider: Provider, opening: Opening, options: ThreadOptions
    ) -> LoadedThread:
        terms = opening.terms
        hooks = ThreadHooks(
            self._world.make_hooks(terms.workspace),
            self._world.faces,
            thread_id=terms.thread_id,
            conversation_id=conversation_id,
        )
        hooks.cwd, hooks.mode = terms.workspace, terms.mode
        # Whoever begins by planning needs the way out of it at once.
        loaded = opening.loaded | {EXIT} if terms.phase == PLANNING else opening.loaded
        is_kept_in = options.sandbox == UNCONFINED and terms.is_confined
        return LoadedThread(
            id=terms.thread_id,
            conversation_id=conversation_id,
            workspace=terms.workspace,
            cwd=terms.workspace,
            provider=provider,
            dialogue=provider.open(
                Brief(system=opening.system, tools=offered(opening.toolbox, loaded), place=terms.place)
            ),
            system=opening.system,
            toolbox=opening.toolbox,
            terms=terms,
            hooks=hooks,
            limits=options.limits,
            usual=self._world.usual,
            loaded=set(loaded),
            notices=[say("engine.settings.walled", what=UNCONFINED)] if is_kept_in else [],
            created_at=int(time.time()),
        )

    def _base(self, options: ThreadOptions) -> str:
        settings = self._world.settings
        if options.base_instructions:
            return self._world.redact(options.base_instructions)
        if settings.system_prompt_file:
            try:
                with open(os.path.expanduser(settings.system_prompt_file), encoding="utf-8") as file:
                    return self._world.redact(file.read())
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigurationError(
                    say("engine.system_prompt_file", path=settings.system_prompt_file, error=error)
                ) from error
        return self._world.redact(settings.system_prompt) or own_prompt()

    def _effort(self, effort: str | None) -> str | None:
        """What the person said, or what the settings say."""
        if effort is None:
            return self._world.settings.effort or None
        from daedal.engine.wishes import AUTO, effort_of

        return self._world.settings.effort or None if effort_of(effort) == AUTO else effort

    def _note_effort(self, thread: LoadedThread, effort: str | None) -> None:
        if effort is not None:
            from daedal.engine.wishes import unheard

            thread.notices += unheard(effort, thread.provider.card)

    def _provider(
        self,
        options: ThreadStartParams | ThreadResumeParams,
        provider: str | None,
        model: str | None,
        effort: str | None,
    ) -> Provider:
        if options.without_model:
            return AbsentProvider()
        connected = self._world.connect(provider, model, effort)
        if options.limits.max_budget_usd is not None and connected.card.price is None:
            # A budget that could never be noticed is refused before the first call.
            raise ConfigurationError(say("engine.budget_without_price", model=connected.card.model_id))
        return connected


def with_model(terms: Terms, provider: Provider) -> Terms:
    return replace(terms, provider=provider.card.provider, model_id=provider.card.model_id)


def folder(path: str) -> str:
    """The folder, absolute and symlink-free, as the gate compares paths."""
    real = os.path.realpath(path)
    if not os.path.isdir(real):
        raise UsageError(say("engine.no_such_folder", path=path))
    return real
