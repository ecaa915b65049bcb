"""What can faces look up in the house beside threads? Models, settings, and what the ledger says was decided."""

import os
from typing import Any

import msgspec

from daedal.app.credentials import secret_names
from daedal.app.settings import Settings
from daedal.app.startup import Startup
from daedal.config import explain, load_files, settings_files
from daedal.protocol.lookups import (
    ConfigReadParams,
    ConfigReadResponse,
    HookRunsResponse,
    Model,
    ModelListParams,
    ModelListResponse,
    ReceiptsResponse,
    RecordParams,
    VerdictsResponse,
)
from daedal.protocol.redaction import Redactor
from daedal.providers import known_models

LIMIT = 100


class HouseLookups:
    """Reads only."""

    def __init__(self, startup: Startup) -> None:
        self._startup = startup

    async def list_models(self, params: ModelListParams) -> ModelListResponse:
        chosen = self._startup.model
        data = [
            Model(
                id=f"{provider}/{model_id}",
                model=wire_model,
                display_name=model_id,
                description=f"{wire_model} at {provider}",
                is_default=chosen is not None and (chosen.provider, chosen.model_id) == (provider, model_id),
                provider=provider,
            )
            for provider, model_id, wire_model in known_models(self._startup.settings.providers)
        ]
        offset = int(params.cursor) if params.cursor and params.cursor.isdecimal() else 0
        limit = params.limit or len(data) or 1
        more = str(offset + limit) if len(data) > offset + limit else None
        return ModelListResponse(data=data[offset : offset + limit], next_cursor=more)

    async def read_config(self, params: ConfigReadParams) -> ConfigReadResponse:
        """The settings in force; where they come from is told for the folder that is asked about."""
        startup = self._startup
        redact = Redactor(startup.credentials.secrets(secret_names(startup.settings)))
        files = settings_files(os.path.realpath(params.cwd)) if params.cwd else startup.files
        rows = explain(load_files(Settings, files, {}), startup.settings)
        plain: dict[str, Any] = redact.value(msgspec.to_builtins(startup.settings))
        model = startup.model
        config = {
            **{key: value for key, value in plain.items() if key not in ("tools", "hooks", "sandbox")},
            "model": model.model_id if model else None,
            "model_provider": model.provider if model else None,
        }
        settings = [
            {
                "key": row.key,
                "value": redact.value({"value": row.value})["value"],
                "origin": str(row.origin),
                "description": row.description,
            }
            for row in rows
        ]
        return ConfigReadResponse(config=config, settings=msgspec.to_builtins(settings))

    async def list_verdicts(self, params: RecordParams) -> VerdictsResponse:
        ledger = self._startup.ledger
        limit = params.limit or LIMIT
        if params.thread_id is None:
            decided = list(ledger.decided_calls(limit=limit))
            return VerdictsResponse(data=[_plain(one) for one in decided])
        session = await ledger.find_session(params.thread_id)
        return VerdictsResponse(data=[_plain(one) for one in ledger.verdicts(session.session_id)[-limit:]])

    async def list_hook_runs(self, params: RecordParams) -> HookRunsResponse:
        ledger = self._startup.ledger
        session_id = (await ledger.find_session(params.thread_id)).session_id if params.thread_id else None
        runs = ledger.hook_runs(session_id=session_id, limit=params.limit or LIMIT)
        return HookRunsResponse(data=[_plain(one) for one in runs])

    async def list_receipts(self, params: RecordParams) -> ReceiptsResponse:
        """Newest first."""
        ledger = self._startup.ledger
        session_id = (await ledger.find_session(params.thread_id)).session_id if params.thread_id else None
        receipts = ledger.receipts(session_id=session_id, limit=params.limit or LIMIT)
        check = ledger.verify_receipts()
        return ReceiptsResponse(data=[_plain(one) for one in receipts], is_whole=check.broken_at is None)


def _plain(row: Any) -> dict[str, Any]:
    """With keys as everything else on the wire has them."""
    return {_camel(key): value for key, value in msgspec.to_builtins(row).items()}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
