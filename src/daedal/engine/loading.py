"""How does a new thread come to memory? A person's from its options, a sub-agent's from its parent's."""

import os
import time

from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.delegation import Delegation, Subset
from daedal.engine.opening import UNCONFINED, Opening, folder, with_model
from daedal.engine.planning import PLANNING
from daedal.engine.prompt import own_prompt, system_prompt
from daedal.engine.recalling import Recalling
from daedal.engine.thread import LoadedThread
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.ids import new_id
from daedal.protocol.records import (
    Entry,
    EntryType,
    PhaseChanged,
    SessionOpened,
    SessionShelved,
)
from daedal.protocol.seams import InstructionFile, Provider
from daedal.protocol.threads import ThreadOptions, ThreadStartParams
from daedal.protocol.turns import TurnError


class Loader(Recalling):
    async def new(self, params: ThreadStartParams) -> LoadedThread:
        workspace = folder(params.cwd or os.getcwd())
        session_id, conversation_id = new_id(), new_id()
        conversation = None
        if params.beside is not None:
            from daedal.engine.joining import joined

            if (found := await joined(self._world, params, workspace)) is not None:
                conversation, params = found
                conversation_id = conversation.id
        terms = self._terms(session_id, workspace, params)
        if conversation is not None:
            terms = replace(terms, phase=conversation.phase, has_approved_plan=conversation.has_approved_plan)
        try:
            provider = self._provider(params, params.model_provider, params.model, self._effort(params.effort))
            base = self._base(params)
            terms = with_model(terms, provider)
            await self._world.meet(terms)
            toolbox = self._world.make_toolbox(terms)
        except ConfigurationError as trouble:
            await self._record_refusal(session_id, conversation_id, workspace, params, trouble)
            raise
        thread = self._opened(conversation_id, provider, Opening(terms, base, toolbox), params)
        self._note_effort(thread, params.effort)
        if terms.phase == PLANNING and conversation is None:
            thread.unsaved.append(PhaseChanged(conversation_id=conversation_id, before="idle", after=PLANNING))
        return thread

    async def child(
        self, parent: LoadedThread, delegation: Delegation, workspace: str, *, again: str | None = None
    ) -> LoadedThread:
        """A sub-agent's thread: a session of its own in the parent's conversation, on terms that are never wider.

        `again` is the session that it had in an earlier process, and goes on with.
        """
        card, wanted = parent.provider.card, delegation.model
        is_theirs = wanted is None or delegation.is_within_provider
        options = ThreadStartParams(limits=replace(parent.limits, max_turns=self._steps(parent, delegation)))
        effort = delegation.effort or parent.terms.effort
        connected = self._provider(
            options, card.provider if is_theirs else None, wanted or card.model_id, self._effort(effort)
        )
        terms = replace(
            with_model(parent.terms, connected),
            effort=effort,
            thread_id=again or new_id(),
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
        opening = Opening(terms, base, toolbox)
        if again is None:
            thread = self._opened(parent.conversation_id, connected, opening, options, worked_for=parent.id)
        else:
            thread = await self._reopened(parent.conversation_id, connected, opening, options)
        thread.parent = parent
        thread.purse = parent.purse
        thread.agent_type = thread.hooks.agent_type = delegation.type
        return thread

    async def _reopened(
        self, conversation_id: str, provider: Provider, opening: Opening, options: ThreadStartParams
    ) -> LoadedThread:
        """With the words that it began with, so that its requests begin with the same bytes."""
        session_id = opening.terms.thread_id
        lease = self._world.transcript.lease(session_id)
        entries = await self._world.transcript.entries(session_id)
        system = next(entry.payload["text"] for entry in entries if entry.payload.get("subtype") == "brief")
        thread = self._thread(conversation_id, provider, replace(opening, system=system), options)
        thread.lease = lease
        thread.settled = False
        self.replay(thread, entries)
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
        text = system_prompt(
            opening.system,
            workspace=terms.workspace,
            today=today,
            instructions=files,
            reasoning=self._world.settings.reasoning_language,
        )
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
        if options.ephemeral:
            thread.is_ephemeral = True
            thread.unsaved.append(SessionShelved(is_archived=True))
        thread.instructed = {file.path for file in files} | {terms.workspace}
        return thread

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
