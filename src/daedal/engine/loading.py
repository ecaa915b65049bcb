"""How does a thread come to memory? New from its options, or from the record of an earlier process."""

import os
import time

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.absent import AbsentProvider
from daedal.engine.clock import epoch
from daedal.engine.delegation import Delegation, Subset
from daedal.engine.history import messages
from daedal.engine.hooking import ThreadHooks
from daedal.engine.planning import EXIT, PLANNING
from daedal.engine.prompt import own_prompt, system_prompt
from daedal.engine.terms import Terms
from daedal.engine.thread import LoadedThread, offered
from daedal.engine.world import World
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.protocol.ids import new_id
from daedal.protocol.model import Brief
from daedal.protocol.records import (
    Entry,
    EntryType,
    PhaseChanged,
    SessionOpened,
    StoredEntry,
    StoredSession,
)
from daedal.protocol.seams import InstructionFile, Provider, Toolbox
from daedal.protocol.threads import ThreadOptions, ThreadResumeParams, ThreadStartParams
from daedal.protocol.turns import TurnError

UNCONFINED = "danger-full-access"


class Opening(Struct, frozen=True):
    """On which terms a thread works, what its model is told first, and what it can do."""

    terms: Terms
    system: str
    toolbox: Toolbox
    loaded: frozenset[str] = frozenset()
    """Deferred tools that its model has looked up before."""


class Loader:
    def __init__(self, world: World) -> None:
        self._world = world

    async def new(self, params: ThreadStartParams) -> LoadedThread:
        workspace = folder(params.cwd or os.getcwd())
        session_id, conversation_id = new_id(), new_id()
        terms = self._terms(session_id, workspace, params)
        try:
            provider = self._provider(params, params.model_provider, params.model)
            base = self._base(params)
            terms = _with_model(terms, provider)
            await self._world.meet(terms)
            toolbox = self._world.make_toolbox(terms)
        except ConfigurationError as trouble:
            await self._record_refusal(session_id, conversation_id, workspace, params, trouble)
            raise
        thread = self._opened(conversation_id, provider, Opening(terms, base, toolbox), params)
        if terms.phase == PLANNING:
            thread.unsaved.append(PhaseChanged(conversation_id=conversation_id, before="idle", after=PLANNING))
        return thread

    async def child(self, parent: LoadedThread, delegation: Delegation, workspace: str) -> LoadedThread:
        """A sub-agent's thread: a session of its own in the parent's conversation, on terms that are never wider."""
        card, wanted = parent.provider.card, delegation.model
        is_theirs = wanted is None or delegation.is_within_provider
        options = ThreadStartParams(limits=replace(parent.limits, max_turns=self._steps(parent, delegation)))
        connected = self._provider(options, card.provider if is_theirs else None, wanted or card.model_id)
        terms = replace(
            _with_model(parent.terms, connected),
            thread_id=new_id(),
            workspace=workspace,
            deny=parent.gate.denials() if parent.gate is not None else parent.terms.deny,
            principal=f"subagent:{delegation.type}",
            mode="plan" if delegation.plans_only else parent.terms.mode,
            off_limits=parent.terms.off_limits if workspace == parent.workspace else [parent.workspace],
            place=delegation.place,
            keep_tasks=False,
            mcp_servers={},
        )
        toolbox = Subset(self._world.make_toolbox(terms), delegation)
        base = self._world.redact(delegation.instructions) or own_prompt()
        thread = self._opened(
            parent.conversation_id, connected, Opening(terms, base, toolbox), options, worked_for=parent.id
        )
        thread.parent = parent
        thread.purse = parent.purse
        thread.agent_type = thread.hooks.agent_type = delegation.type
        return thread

    def _steps(self, parent: LoadedThread, delegation: Delegation) -> int | None:
        """The lowest of what the type, the thread and the settings say; 0 says nothing."""
        own = parent.limits.max_turns
        said = [delegation.max_turns, self._world.settings.max_steps if own is None else own]
        return min((steps for steps in said if steps), default=0)

    def _opened(
        self,
        conversation_id: str,
        provider: Provider,
        opening: Opening,
        options: ThreadStartParams,
        *,
        worked_for: str | None = None,
    ) -> LoadedThread:
        """A thread that is not on the record yet, with what will open it there. Its system prompt is completed here."""
        terms = opening.terms
        found = self._world.instructions.initial(terms.workspace)
        files = [InstructionFile(file.path, self._world.redact(file.text)) for file in found]
        today = time.strftime("%Y-%m-%d")
        text = system_prompt(opening.system, workspace=terms.workspace, today=today, instructions=files)
        card = provider.card
        brief = {
            "subtype": "brief",
            "text": text,
            "instructions": [file.path for file in files],
            "sandbox": None if terms.is_confined else UNCONFINED,
        }
        thread = self._thread(conversation_id, provider, replace(opening, system=text), options)
        thread.lease = self._world.transcript.lease(terms.thread_id)
        thread.unsaved = [
            SessionOpened(
                session_id=terms.thread_id,
                conversation_id=conversation_id,
                project_dir=terms.workspace,
                provider=card.provider,
                model_id=card.model_id,
                worked_for=worked_for,
            ),
            Entry(entry_type=EntryType.SYSTEM, payload=brief),
        ]
        thread.instructed = {file.path for file in files} | {terms.workspace}
        return thread

    async def resume(self, stored: StoredSession, params: ThreadResumeParams) -> LoadedThread:
        """Takes the lease first: what is read afterwards is nobody else's to change."""
        if stored.worked_for is not None:
            # It would come back without what kept it to its task.
            raise UsageError(say("engine.subagent_session", id=stored.session_id, parent=stored.worked_for))
        workspace = folder(params.cwd or stored.project_dir)
        named = params.model_provider is not None or params.model is not None
        provider = self._provider(
            params,
            params.model_provider if named else stored.provider or None,
            params.model if named else stored.model_id or None,
        )
        lease = self._world.transcript.lease(stored.session_id)
        try:
            thread = await self._from_record(stored, params, workspace, provider)
        except BaseException:
            lease.release()
            await provider.close()
            raise
        thread.lease = lease
        return thread

    async def _from_record(
        self, stored: StoredSession, params: ThreadResumeParams, workspace: str, provider: Provider
    ) -> LoadedThread:
        entries = await self._world.transcript.entries(stored.session_id)
        brief = next((entry for entry in entries if entry.payload.get("subtype") == "brief"), None)
        text = self._base(params) if params.base_instructions or brief is None else brief.payload["text"]
        terms = _with_model(self._terms(stored.session_id, workspace, params), provider)
        await self._world.meet(terms)
        loaded = frozenset(name for entry in entries for name in entry.extra.get("loaded", ()))
        opening = Opening(terms, text, self._world.make_toolbox(terms), loaded)
        thread = self._thread(stored.conversation_id, provider, opening, params)
        thread.created_at = epoch(stored.started_at)
        thread.preview = stored.preview
        thread.settled = False
        thread.context = list(filter(None, [self._world.still_running(stored.session_id)]))
        self._replay(thread, entries)
        return thread

    def _replay(self, thread: LoadedThread, entries: list[StoredEntry]) -> None:
        for message in messages(entries):
            thread.append(message)
        for entry in entries:
            if entry.entry_type is EntryType.TOOL_USE:
                thread.call_ids.add(entry.payload["id"])
            elif entry.entry_type is EntryType.ATTACHMENT:
                thread.instructed.add(entry.payload["attachment"]["path"])
            elif entry.payload.get("subtype") == "brief":
                thread.instructed.update(entry.payload["instructions"])
            moved = entry.extra.get("cwdAfter")
            if moved and inside(moved, thread.workspace) and os.path.isdir(moved):
                thread.cwd = moved

    def _terms(self, session_id: str, workspace: str, options: ThreadOptions) -> Terms:
        # Plan mode is the phase `planning`: the gate reads one word, wherever it was said.
        return Terms(
            thread_id=session_id,
            workspace=workspace,
            posture=options.approval_policy or self._world.posture,
            is_confined=options.sandbox != UNCONFINED,
            mode=options.permission_mode,
            allow=options.allow,
            deny=options.deny,
            guard=options.guard,
            allow_destructive=options.allow_destructive,
            keep_tasks=options.keep_tasks,
            mcp_servers=options.mcp_servers,
            phase=PLANNING if options.permission_mode == "plan" else "idle",
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
            loaded=set(loaded),
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

    def _provider(
        self, options: ThreadStartParams | ThreadResumeParams, provider: str | None, model: str | None
    ) -> Provider:
        if options.without_model:
            return AbsentProvider()
        connected = self._world.connect(provider, model)
        if options.limits.max_budget_usd is not None and connected.card.price is None:
            # A budget that could never be noticed is refused before the first call.
            raise ConfigurationError(say("engine.budget_without_price", model=connected.card.model_id))
        return connected

    async def _record_refusal(
        self, session_id: str, conversation_id: str, workspace: str, params: ThreadOptions, trouble: ConfigurationError
    ) -> None:
        """A turn that could not even begin is on the record too."""
        error = TurnError(message=self._world.redact(str(trouble)), kind=trouble.kind)
        opened = SessionOpened(
            session_id=session_id,
            conversation_id=conversation_id,
            project_dir=workspace,
            provider=params.model_provider or "",
            model_id=params.model or "",
        )
        await self._world.transcript.commit(session_id, [opened, recording.failure_event(error)])


def _with_model(terms: Terms, provider: Provider) -> Terms:
    return replace(terms, provider=provider.card.provider, model_id=provider.card.model_id)


def folder(path: str) -> str:
    """The folder, absolute and symlink-free, as the gate compares paths."""
    real = os.path.realpath(path)
    if not os.path.isdir(real):
        raise UsageError(say("engine.no_such_folder", path=path))
    return real
