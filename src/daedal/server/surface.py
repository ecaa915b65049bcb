"""Which methods does a client from outside have? Those of every client, and what only it needs, each with its shape."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.protocol.abilities import Lookups, Shelving, Steering
from daedal.protocol.accounts import Accounts
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.events import ThreadArchived, ThreadNamed, ThreadUnarchived
from daedal.protocol.housekeeping import Housekeeping
from daedal.protocol.inventory import (
    FolderParams,
    FoldersParams,
    MarketplacesResponse,
    RequirementsResponse,
    ServerStatusParams,
)
from daedal.protocol.item_pages import ItemListParams
from daedal.protocol.lookups import ConfigReadParams, ModelListParams, RecordParams
from daedal.protocol.papers import PlanReadParams, ReportReadParams, ThreadExportParams
from daedal.protocol.repository import RepositoryParams
from daedal.protocol.service import Engine
from daedal.protocol.shelving import (
    ThreadArchiveParams,
    ThreadForkParams,
    ThreadNameParams,
    TurnListParams,
    UnsubscribeResponse,
)
from daedal.protocol.steering import ReviewStartParams, TurnSteerParams
from daedal.protocol.turns import TurnInterruptParams
from daedal.protocol.wire import Nothing, Request
from daedal.server.accounts import ACCOUNT_METHODS
from daedal.server.dialect import options, with_input
from daedal.server.fold_methods import FOLD_METHODS
from daedal.server.goal_methods import GOAL_METHODS
from daedal.server.hand_methods import HAND_METHODS
from daedal.server.house_methods import HOUSE_METHODS
from daedal.server.methods import METHODS, InvalidParams, UnknownMethod
from daedal.server.reviewing import start_review
from daedal.server.roles import Caller


class Desk(Struct, frozen=True, kw_only=True):
    engine: Engine
    lookups: Lookups


Call = Callable[[Desk, Caller, Any], Awaitable[Any]]


class NoParams(Struct, frozen=True):
    """Nothing is needed; whatever is sent is ignored."""


def _steering(desk: Desk) -> Steering:
    if isinstance(desk.engine, Steering):
        return desk.engine
    raise UsageError(say("server.engine_cannot", what="turn/steer"))


def _shelving(desk: Desk) -> Shelving:
    if isinstance(desk.engine, Shelving):
        return desk.engine
    raise UsageError(say("server.engine_cannot", what="thread/fork, thread/archive or thread/name/set"))


async def _archive(desk: Desk, remote: Caller, params: ThreadArchiveParams) -> Nothing:
    await _shelving(desk).archive_thread(params)
    remote.board.announce(ThreadArchived(thread_id=params.thread_id))
    return Nothing()


async def _unarchive(desk: Desk, remote: Caller, params: ThreadArchiveParams) -> Any:
    response = await _shelving(desk).unarchive_thread(params)
    remote.board.announce(ThreadUnarchived(thread_id=response.thread.id))
    return response


async def _name(desk: Desk, remote: Caller, params: ThreadNameParams) -> Nothing:
    await _shelving(desk).name_thread(params)
    remote.board.announce(ThreadNamed(thread_id=params.thread_id, thread_name=params.name))
    return Nothing()


async def _unsubscribe(desk: Desk, remote: Caller, params: ThreadArchiveParams) -> UnsubscribeResponse:
    del desk
    had = remote.board.unlisten(remote, params.thread_id)
    return UnsubscribeResponse(status="unsubscribed" if had else "notSubscribed")


async def _interrupt(desk: Desk, remote: Caller, params: TurnInterruptParams) -> Nothing:
    """Answered before the turn is over, as Codex has it; only what is wrong with the request is waited for."""
    stopping = remote.owned(desk.engine.interrupt_turn(params))
    await asyncio.sleep(0)
    if stopping.done():
        stopping.result()
    return Nothing()


async def _review(desk: Desk, remote: Caller, params: ReviewStartParams) -> Any:
    return await start_review(desk.engine, remote.board, params)


async def _requirements(desk: Desk, remote: Caller, params: NoParams) -> RequirementsResponse:
    del desk, remote, params
    return RequirementsResponse()


async def _marketplaces(desk: Desk, remote: Caller, params: NoParams) -> MarketplacesResponse:
    del desk, remote, params
    return MarketplacesResponse()


def _of_engine(method: Callable[[Engine, Any], Awaitable[Any]]) -> Call:
    return lambda desk, _, params: method(desk.engine, params)


def _of_accounts(method: Callable[[Accounts, Caller, Any], Awaitable[Any]]) -> Call:
    return lambda desk, remote, params: method(desk.lookups.accounts, remote, params)


def _of_house(method: Callable[[Housekeeping, Caller, Any], Awaitable[Any]]) -> Call:
    return lambda desk, remote, params: method(desk.lookups.housekeeping, remote, params)


FURTHER: dict[str, tuple[type[Any], Call]] = {
    **{name: (params, _of_accounts(method)) for name, (params, method) in ACCOUNT_METHODS.items()},
    **{name: (params, _of_house(method)) for name, (params, method) in HOUSE_METHODS.items()},
    **{name: (params, _of_engine(method)) for name, (params, method) in (GOAL_METHODS | FOLD_METHODS).items()},
    **{name: (params, _of_engine(method)) for name, (params, method) in HAND_METHODS.items()},
    "thread/fork": (ThreadForkParams, lambda desk, _, params: _shelving(desk).fork_thread(params)),
    "thread/archive": (ThreadArchiveParams, _archive),
    "thread/unarchive": (ThreadArchiveParams, _unarchive),
    "thread/name/set": (ThreadNameParams, _name),
    "thread/unsubscribe": (ThreadArchiveParams, _unsubscribe),
    "thread/turns/list": (TurnListParams, lambda desk, _, params: _shelving(desk).list_turns(params)),
    "thread/items/list": (ItemListParams, lambda desk, _, params: _shelving(desk).list_items(params)),
    "thread/loaded/list": (NoParams, lambda desk, _, __: _shelving(desk).loaded_threads()),
    "turn/interrupt": (TurnInterruptParams, _interrupt),
    "turn/steer": (TurnSteerParams, lambda desk, _, params: _steering(desk).steer_turn(params)),
    "review/start": (ReviewStartParams, _review),
    "model/list": (ModelListParams, lambda desk, _, params: desk.lookups.list_models(params)),
    "config/read": (ConfigReadParams, lambda desk, _, params: desk.lookups.read_config(params)),
    "thread/verdicts/list": (RecordParams, lambda desk, _, params: desk.lookups.list_verdicts(params)),
    "thread/hookRuns/list": (RecordParams, lambda desk, _, params: desk.lookups.list_hook_runs(params)),
    "receipt/list": (RecordParams, lambda desk, _, params: desk.lookups.list_receipts(params)),
    "skills/list": (FoldersParams, lambda desk, _, params: desk.lookups.inventory.list_skills(params)),
    "hooks/list": (FoldersParams, lambda desk, _, params: desk.lookups.inventory.list_hooks(params)),
    "mcpServerStatus/list": (ServerStatusParams, lambda desk, _, params: desk.lookups.inventory.list_servers(params)),
    "agent/list": (FolderParams, lambda desk, _, params: desk.lookups.inventory.list_agents(params)),
    "permission/list": (FolderParams, lambda desk, _, params: desk.lookups.inventory.list_rules(params)),
    "collaborationMode/list": (NoParams, lambda desk, _, __: desk.lookups.inventory.list_modes()),
    "thread/export": (ThreadExportParams, lambda desk, _, params: desk.lookups.papers.export_thread(params)),
    "thread/plan/read": (PlanReadParams, lambda desk, _, params: desk.lookups.papers.read_plan(params)),
    "report/read": (ReportReadParams, lambda desk, _, params: desk.lookups.papers.read_report(params)),
    "repository/diff": (RepositoryParams, lambda desk, _, params: desk.lookups.repositories.read_diff(params)),
    "repository/read": (RepositoryParams, lambda desk, _, params: desk.lookups.repositories.read_repository(params)),
    "configRequirements/read": (NoParams, _requirements),
    "plugin/list": (NoParams, _marketplaces),
}
"""Beside `methods.METHODS`, or in their place."""

SPOKEN_AS_CODEX: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "thread/start": options,
    "thread/resume": options,
    "thread/fork": options,
    "thread/settings/update": options,
    "turn/start": with_input,
    "turn/steer": with_input,
}


def shape_of(method: str) -> type[Any]:
    """Raises UnknownMethod."""
    entry = FURTHER.get(method) or METHODS.get(method)
    if entry is None:
        raise UnknownMethod
    return entry[0]


def read_params(request: Request) -> Any:
    """The params as the struct of the method. Null counts as left out, as Codex has it."""
    shape = shape_of(request.method)
    told: Any = {} if request.params is None else request.params
    if isinstance(told, dict):
        given = cast("dict[str, Any]", told)
        translate = SPOKEN_AS_CODEX.get(request.method)
        told = translate(given) if translate else {key: value for key, value in given.items() if value is not None}
        _require_paths(given)
    try:
        return msgspec.convert(told, shape)
    except msgspec.ValidationError as trouble:
        raise InvalidParams(str(trouble)) from trouble


def _require_paths(given: dict[str, Any]) -> None:
    """That the folders it names can be names of folders at all. Raises InvalidParams."""
    named = [given.get("cwd"), given.get("cwds")]
    named += [each for several in named if isinstance(several, list) for each in cast("list[Any]", several)]
    if any(isinstance(value, str) and "\0" in value for value in named):
        raise InvalidParams(say("server.bad_folder"))


async def call(desk: Desk, remote: Caller, method: str, params: Any) -> Any:
    if method in FURTHER:
        return await FURTHER[method][1](desk, remote, params)
    return await METHODS[method][1](desk.engine, params)
