"""What would a thread's settings be, if a client's wishes came true? Checked as a whole, and refused as a whole.

A client is the person, or somebody who acts for them: it may wish for what it could have started a thread with, and for
nothing that the administrator forbids. Whatever is made here for the new settings is not in force yet.
"""

import os
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine.absent import AbsentProvider
from daedal.engine.planning import PLANNING
from daedal.engine.terms import Terms
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.protocol.model import EFFORTS, ModelCard
from daedal.protocol.seams import Provider, Toolbox
from daedal.protocol.turns import Wishes
from daedal.protocol.verdict import Posture

AUTO = "auto"
PLAN = "plan"
BYPASS = "bypassPermissions"
MODES = ("default", "acceptEdits", PLAN, "dontAsk", BYPASS)
OPEN, WORKSPACE, READING = "dangerFullAccess", "workspaceWrite", "readOnly"


class Change(Struct, frozen=True, kw_only=True):
    """What shall hold, with everything that it needs."""

    terms: Terms
    told: dict[str, Any]
    """What is different now, as it goes on the record."""
    provider: Provider | None = None
    """None where the one that is there stays."""
    toolbox: Toolbox | None = None
    cwd: str | None = None
    notices: list[str] = []
    """For the person: what was asked for and has no effect."""


async def checked(world: World, thread: LoadedThread, wishes: Wishes) -> Change | None:
    """None where nothing changes. Raises UsageError or ConfigurationError, and then nothing was changed."""
    if thread.parent is not None:
        raise UsageError(say("engine.settings.subagent", id=thread.id, parent=thread.parent.id))
    told: dict[str, Any] = {}
    terms = _by_rules(thread, wishes, told)
    terms = _within_walls(world, thread, terms, wishes, told)
    cwd = _moved(thread, wishes, told)
    effort = effort_of(wishes.effort)
    if effort is not None and effort != (thread.terms.effort or AUTO):
        told["effort"] = effort
        terms = replace(terms, effort=None if effort == AUTO else effort)
    provider = _provider(world, thread, wishes, terms, told)
    if provider is not None:
        terms = replace(terms, provider=provider.card.provider, model_id=provider.card.model_id)
    card = provider.card if provider is not None else current(thread).card
    notices = unheard(effort, card)
    if not told and cwd is None:
        return Change(terms=terms, told={}, notices=notices) if notices else None
    try:
        toolbox = await _toolbox(world, thread, terms)
    except BaseException:
        if provider is not None:
            await provider.close()
        raise
    return Change(terms=terms, told=told, provider=provider, toolbox=toolbox, cwd=cwd, notices=notices)


def current(thread: LoadedThread) -> Provider:
    """Who will be asked next."""
    return thread.successor or thread.provider


def effort_of(word: str | None) -> str | None:
    if word is None or word == AUTO or word in EFFORTS:
        return word
    raise UsageError(say("engine.settings.effort", value=word, known=", ".join((*EFFORTS, AUTO))))


def unheard(effort: str | None, card: ModelCard) -> list[str]:
    """What a person hears who wants a model to think that cannot."""
    if effort in (None, AUTO) or card.effort is not None:
        return []
    return [say("engine.settings.cannot_think", model=card.model_id, effort=effort)]


def _by_rules(thread: LoadedThread, wishes: Wishes, told: dict[str, Any]) -> Terms:
    terms, posture, mode = thread.terms, wishes.approval_policy, wishes.permission_mode
    if mode is not None and mode not in MODES:
        raise UsageError(say("engine.settings.mode", value=mode, known=", ".join(MODES)))
    if thread.usual.forbids_bypass and (posture is Posture.YOLO or mode == BYPASS):
        raise UsageError(say("engine.settings.forbidden", what="yolo" if posture is Posture.YOLO else BYPASS))
    is_planning = terms.phase == PLANNING
    if wishes.leaves_plan and mode is None and is_planning:
        mode = _ordinary(terms.mode) or _ordinary(thread.usual.mode) or "default"
    if posture is not None and posture is not terms.posture:
        told["posture"] = str(posture)
        terms = replace(terms, posture=posture)
    if mode == PLAN and not is_planning:
        told["mode"] = PLAN
        return replace(terms, mode=PLAN, phase=PLANNING, has_approved_plan=False)
    if mode not in (None, PLAN) and (is_planning or mode != terms.mode):
        told["mode"] = mode
        terms = replace(terms, mode=mode, phase="idle" if is_planning else terms.phase)
    return terms


def _ordinary(mode: str | None) -> str | None:
    return None if mode == PLAN else mode


def _within_walls(world: World, thread: LoadedThread, terms: Terms, wishes: Wishes, told: dict[str, Any]) -> Terms:
    if wishes.sandbox_policy is None:
        return terms
    kind = wishes.sandbox_policy.get("type")
    if kind not in (OPEN, WORKSPACE, READING):
        raise UsageError(say("engine.settings.sandbox", value=kind, known=", ".join((WORKSPACE, READING, OPEN))))
    if kind == thread.sandbox:
        return terms
    if kind == OPEN and (thread.usual.forbids_bypass or thread.usual.keeps_walls):
        raise UsageError(say("engine.settings.walled", what=OPEN))
    _refuse_guest(world, "sandbox", str(kind))
    told["sandbox"] = kind
    return replace(terms, is_confined=kind != OPEN, is_read_only=kind == READING, wants_walls=kind != OPEN)


def _moved(thread: LoadedThread, wishes: Wishes, told: dict[str, Any]) -> str | None:
    if wishes.cwd is None:
        return None
    path = "" if "\0" in wishes.cwd else os.path.realpath(os.path.join(thread.workspace, wishes.cwd))
    if not path or not inside(path, thread.workspace):
        raise UsageError(say("engine.settings.outside", path=wishes.cwd, workspace=thread.workspace))
    if not os.path.isdir(path):
        raise UsageError(say("engine.no_such_folder", path=wishes.cwd))
    if path == thread.cwd:
        return None
    told["cwd"] = path.encode("utf-8", "replace").decode()
    return path


def _provider(
    world: World, thread: LoadedThread, wishes: Wishes, terms: Terms, told: dict[str, Any]
) -> Provider | None:
    card = current(thread).card
    is_other = wishes.model is not None and wishes.model not in _names(card)
    usual = world.settings.effort or None
    wanted = terms.effort or usual
    if not is_other and wanted == (thread.terms.effort or usual):
        return None
    _refuse_guest(world, "model" if is_other else "effort", str(wishes.model if is_other else wanted))
    if isinstance(thread.provider, AbsentProvider):
        raise UsageError(say("engine.without_model", id=thread.id))
    connect: Callable[[str | None, str | None, str | None], Provider] = world.connect
    provider = connect(None, wishes.model, wanted) if is_other else connect(card.provider, card.model_id, wanted)
    if thread.limits.max_budget_usd is not None and provider.card.price is None:
        raise ConfigurationError(say("engine.budget_without_price", model=provider.card.model_id))
    if (provider.card.provider, provider.card.model_id) != (card.provider, card.model_id):
        told["model"] = {"provider": provider.card.provider, "model_id": provider.card.model_id}
    return provider


def _names(card: ModelCard) -> tuple[str, ...]:
    return (
        card.wire_model,
        card.model_id,
        f"{card.provider}/{card.model_id}",
        f"{card.provider}/{card.wire_model}",
    )


def _refuse_guest(world: World, what: str, value: str) -> None:
    if world.guest:
        raise UsageError(say("engine.settings.guest", engine=world.guest, what=what, value=value))


async def _toolbox(world: World, thread: LoadedThread, terms: Terms) -> Toolbox | None:
    """Tools keep to the walls that they were made with, so other walls need other tools."""
    before = thread.terms
    if (terms.is_confined, terms.is_read_only, terms.wants_walls) == (
        before.is_confined,
        before.is_read_only,
        before.wants_walls,
    ):
        return None
    await world.meet(terms)
    return world.make_toolbox(terms)
