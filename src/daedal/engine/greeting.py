"""How does a thread begin and end for the user's scripts? Greeted, asked about each prompt, and parted from.

A hook may refuse a prompt, add to it, or want files watched. Without hooks none of this does anything.
"""

import asyncio
import os
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine.showing import shown_content, shown_names
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.content import Message, Picture, Role, Text
from daedal.protocol.errors import DaedalError, LedgerError
from daedal.protocol.hooks import HookAnswer, HookEvent
from daedal.protocol.items import Given
from daedal.protocol.seams import Prepared
from daedal.protocol.turns import ErrorKind


class PromptRefused(DaedalError):
    """A hook does not want this prompt asked."""

    kind = ErrorKind.HOOK


class Said(Struct, frozen=True, kw_only=True):
    """A prompt as the model gets it: what it refers to, the person's words, and what hooks add to them."""

    text: str
    shown: str
    """As the person typed it, before commands in it were rendered."""
    attachments: list[str]
    notes: list[str]
    pictures: list[Picture] = []

    def texts(self) -> list[str]:
        return [*self.attachments, self.text, *self.notes]

    def message(self) -> Message:
        return Message(Role.USER, [Text(text) for text in self.texts()], images=[each.image for each in self.pictures])

    def content(self) -> list[Given]:
        """As faces show it."""
        return shown_content(self.shown, self.pictures)


async def greet(thread: LoadedThread, world: World, *, source: str, setup: str | None) -> None:
    hooks = thread.hooks
    hooks.cwd = thread.cwd
    if hooks.listens(HookEvent.FILE_CHANGED):
        hooks.watch = world.make_watch(hooks.file_changed)
    if setup is not None:
        _keep(thread, await hooks.fire(HookEvent.SETUP, trigger=setup))
    if hooks.listens(HookEvent.INSTRUCTIONS_LOADED):
        for path in sorted(path for path in thread.instructed if not os.path.isdir(path)):
            await tell_instructions(thread, path, "session_start")
    model = thread.provider.card.wire_model or None
    answer = await hooks.fire(HookEvent.SESSION_START, source=source, model=model)
    _keep(thread, answer)
    thread.opening_words = answer.initial_user_message or ""


async def tell_folded(thread: LoadedThread, turn_id: str, paths: list[str]) -> None:
    """The thread was folded. `paths` are the instructions that were carried over."""
    if thread.hooks.listens(HookEvent.INSTRUCTIONS_LOADED):
        for path in paths:
            await tell_instructions(thread, path, "compact", turn_id=turn_id)
    if thread.agent_type is None:
        model = thread.provider.card.wire_model or None
        _keep(thread, await thread.hooks.fire(HookEvent.SESSION_START, turn_id=turn_id, source="compact", model=model))


def _keep(thread: LoadedThread, answer: HookAnswer) -> None:
    thread.context += answer.additional_context


async def tell_instructions(
    thread: LoadedThread, path: str, reason: str, *, turn_id: str = "", trigger: str | None = None
) -> None:
    """`path` was read for the model."""
    # A project's files lie in the workspace or on the way up to the project's root; the user's own lies apart.
    is_project = inside(path, thread.workspace) or inside(thread.workspace, os.path.dirname(path))
    kind = "Project" if is_project else "User"
    fields: dict[str, Any] = {"file_path": path, "memory_type": kind, "load_reason": reason}
    if trigger is not None:
        fields["trigger_file_path"] = trigger
    await thread.hooks.fire(HookEvent.INSTRUCTIONS_LOADED, turn_id=turn_id, **fields)


async def tell_stop(thread: LoadedThread, turn_id: str, *, is_again: bool, said: str) -> HookAnswer:
    """The model thinks that it is done; hooks may think otherwise."""
    fields: dict[str, Any] = {"stop_hook_active": is_again, "last_assistant_message": said}
    if thread.agent_type is None:
        return await thread.hooks.fire(HookEvent.STOP, turn_id=turn_id, **fields)
    about = {"agent_id": thread.id, "agent_type": thread.agent_type, "agent_transcript_path": ""}
    return await thread.hooks.fire(HookEvent.SUBAGENT_STOP, turn_id=turn_id, **fields, **about)


def with_material(prompt: Prepared, material: str) -> Prepared:
    """The prompt, and below it what was piped in with it."""
    return replace(prompt, text="\n\n".join(filter(None, [prompt.text, material]))) if material.strip() else prompt


async def opened_by(
    thread: LoadedThread,
    world: World,
    turn_id: str,
    prompt: Prepared,
    *,
    typed: str,
    pictures: list[Picture],
) -> Said:
    """The prompt, as hooks let it pass. Raises PromptRefused; the rows of that are committed here."""
    hooks = thread.hooks
    if hooks.listens(HookEvent.CONFIG_CHANGE):
        for source, path in world.changed_settings():
            await hooks.fire(HookEvent.CONFIG_CHANGE, turn_id=turn_id, source=source, file_path=path)
    words, thread.opening_words = thread.opening_words, ""
    text = "\n\n".join(filter(None, [words, world.redact(prompt.text)]))
    answer = await hooks.fire(HookEvent.USER_PROMPT_SUBMIT, turn_id=turn_id, prompt=text)
    stop = hooks.take_stop()
    if answer.is_blocked or stop is not None:
        await world.transcript.commit(thread.id, [*thread.unsaved, *hooks.take_rows()])
        thread.unsaved = []
        why = "\n".join(filter(None, [stop, answer.message])) or say("engine.no_reason")
        raise PromptRefused(say("engine.prompt_refused", why=why))
    notes, thread.context = [*thread.context, *answer.additional_context], []
    return Said(
        text=text,
        shown="\n\n".join(filter(None, [words, typed])) or text or shown_names(pictures),
        attachments=[world.redact(attachment) for attachment in prompt.attachments],
        notes=[world.redact(note) for note in notes],
        pictures=pictures,
    )


async def part(thread: LoadedThread, world: World) -> None:
    """The thread is let go, with what hooks did since the last commit on the record."""
    await thread.hooks.close()
    if thread.agent_type is None:
        await thread.hooks.fire(HookEvent.SESSION_END, reason="other")
    await asyncio.sleep(0)  # What hooks had to say is heard before whoever listens is let go.
    rows = thread.hooks.take_rows()
    if rows:
        try:
            await world.transcript.commit(thread.id, [*thread.unsaved, *rows])
        except LedgerError:
            return  # Whoever lets a thread go over a broken ledger has been told of it already.
