"""What can faces look up in the house beside threads? Models, settings, and what the ledger says was decided."""

import os
from typing import TYPE_CHECKING, Any

import msgspec

from daedal.app.credentials import secret_names
from daedal.app.live_rules import LiveRules
from daedal.app.settings import Settings
from daedal.app.startup import Startup
from daedal.app.telling import told, told_row
from daedal.config import explain, load_files, settings_files
from daedal.ledger import without_lookalikes
from daedal.protocol.catalogue import say
from daedal.protocol.lookups import (
    ConfigReadParams,
    ConfigReadResponse,
    Effort,
    HookRunsResponse,
    Model,
    ModelListParams,
    ModelListResponse,
    ReceiptsResponse,
    RecordParams,
    VerdictsResponse,
)
from daedal.protocol.pages import length_of, offset_of
from daedal.protocol.redaction import Redactor
from daedal.providers import known_efforts, known_models

if TYPE_CHECKING:
    from daedal.app.accounts import HouseAccounts
    from daedal.app.housekeeping import HouseKeeper
    from daedal.app.inventory import HouseInventory
    from daedal.app.papers import HousePapers
    from daedal.app.repositories import HouseRepositories
    from daedal.config import Row
    from daedal.mcp import McpServers

LIMIT = 100


class HouseLookups:
    """Reads only."""

    def __init__(self, startup: Startup, servers: "McpServers | None" = None, live: "LiveRules | None" = None) -> None:
        self._startup = startup
        self._servers = servers
        self._live = live or LiveRules()
        self._housekeeping: HouseKeeper | None = None
        self._inventory: HouseInventory | None = None
        self._accounts: HouseAccounts | None = None

    @property
    def inventory(self) -> "HouseInventory":
        if self._inventory is None:
            from daedal.app.inventory import HouseInventory

            self._inventory = HouseInventory(self._startup, self._servers, self._live)
        return self._inventory

    @property
    def accounts(self) -> "HouseAccounts":
        if self._accounts is None:
            from daedal.app.accounts import HouseAccounts

            self._accounts = HouseAccounts.of(self._startup)
        return self._accounts

    @property
    def papers(self) -> "HousePapers":
        from daedal.app.papers import HousePapers

        return HousePapers(self._startup)

    @property
    def repositories(self) -> "HouseRepositories":
        from daedal.app.repositories import HouseRepositories

        return HouseRepositories(self._startup.files.root or os.getcwd())

    @property
    def housekeeping(self) -> "HouseKeeper":
        if self._housekeeping is None:
            from daedal.app.housekeeping import HouseKeeper

            self._housekeeping = HouseKeeper(self._startup, self._servers, self._live)
        return self._housekeeping

    async def list_models(self, params: ModelListParams) -> ModelListResponse:
        chosen, entries = self._startup.model, self._startup.settings.providers
        efforts = known_efforts(entries)
        data = [
            Model(
                id=f"{provider}/{model_id}",
                model=wire_model,
                display_name=model_id,
                description=f"{wire_model} at {provider}",
                is_default=chosen is not None and (chosen.provider, chosen.model_id) == (provider, model_id),
                provider=provider,
                supported_reasoning_efforts=[
                    Effort(reasoning_effort=effort, description=say(f"app.effort.{effort}"))
                    for effort in efforts[provider, model_id]
                ],
            )
            for provider, model_id, wire_model in known_models(entries)
        ]
        offset = offset_of(params.cursor) or 0
        limit = length_of(params.limit, len(data))
        more = str(offset + limit) if len(data) > offset + limit else None
        return ModelListResponse(data=data[offset : offset + limit], next_cursor=more)

    async def read_config(self, params: ConfigReadParams) -> ConfigReadResponse:
        """The settings in force; where they come from is told for the folder that is asked about."""
        startup = self._startup
        redact = Redactor(startup.credentials.secrets(secret_names(startup.settings)))
        files = settings_files(startup.folder(params.cwd)) if params.cwd else startup.files
        loaded = load_files(Settings, files, {})
        rows = explain(loaded, startup.settings)
        written = {row.key: row for row in explain(loaded)}
        plain: dict[str, Any] = told(redact.value(msgspec.to_builtins(startup.settings)))
        model = startup.model
        config = {
            **{key: value for key, value in plain.items() if key not in ("tools", "hooks", "sandbox")},
            "model": model.model_id if model else None,
            "model_provider": model.provider if model else None,
        }
        settings = [
            {
                "key": row.key,
                "value": told_row(row.key, redact.value({"value": row.value})["value"]),
                "origin": str(row.origin),
                "description": row.description,
                **_next(row, written[row.key], redact),
            }
            for row in rows
        ]
        return ConfigReadResponse(config=config, settings=msgspec.to_builtins(settings))

    async def list_verdicts(self, params: RecordParams) -> VerdictsResponse:
        """The newest, oldest first."""
        ledger = self._startup.ledger
        limit = length_of(params.limit, LIMIT)
        if params.thread_id is None:
            decided = list(ledger.decided_calls(newest=limit))
            return VerdictsResponse(data=[_plain(one) for one in decided])
        session = await ledger.find_session(params.thread_id)
        return VerdictsResponse(data=[_plain(one) for one in ledger.verdicts(session.session_id)[-limit:]])

    async def list_hook_runs(self, params: RecordParams) -> HookRunsResponse:
        ledger = self._startup.ledger
        session_id = (await ledger.find_session(params.thread_id)).session_id if params.thread_id else None
        runs = ledger.hook_runs(session_id=session_id, limit=length_of(params.limit, LIMIT))
        return HookRunsResponse(data=[without_lookalikes(_plain(one)) for one in runs])

    async def list_receipts(self, params: RecordParams) -> ReceiptsResponse:
        """Newest first."""
        ledger = self._startup.ledger
        session_id = (await ledger.find_session(params.thread_id)).session_id if params.thread_id else None
        receipts = ledger.receipts(session_id=session_id, limit=length_of(params.limit, LIMIT))
        check = ledger.verify_receipts()
        return ReceiptsResponse(data=[_plain(one) for one in receipts], is_whole=check.broken_at is None)


def _next(row: "Row", written: "Row", redact: Redactor) -> dict[str, Any]:
    """What holds from the next start on, where a file was changed since."""
    if row.value == written.value:
        return {}
    return {"next": redact.value({"value": written.value})["value"], "nextOrigin": str(written.origin)}


def _plain(row: Any) -> dict[str, Any]:
    """With keys as everything else on the wire has them."""
    return {_camel(key): value for key, value in msgspec.to_builtins(row).items()}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
