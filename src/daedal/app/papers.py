"""What can a person take away from the record? A thread as a document, its plan, a report; never a secret."""

import asyncio
import os
import platform
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from daedal import __version__
from daedal.app.credentials import secret_names
from daedal.app.startup import Startup
from daedal.ledger import SCHEMA_VERSION, Ledger, export, without_lookalikes
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError, UsageError
from daedal.protocol.papers import (
    PlanReadParams,
    PlanReadResponse,
    ReportPage,
    ReportReadParams,
    ReportReadResponse,
    ThreadExportParams,
    ThreadExportResponse,
)
from daedal.protocol.redaction import Redactor

ENTRIES_MAX = 200
ROWS_MAX = 200
TOLD_VARIABLES = (
    "TERM",
    "COLORTERM",
    "LANG",
    "LC_ALL",
    "SHELL",
    "TMUX",
    "SSH_CONNECTION",
    "WAYLAND_DISPLAY",
    "DISPLAY",
)
"""Of the environment only whether these are set, and of those that name a kind also which."""
TOLD_VALUES = ("TERM", "COLORTERM", "LANG", "LC_ALL", "SHELL")


class HousePapers:
    """Reads only."""

    def __init__(self, startup: Startup) -> None:
        self._startup = startup

    async def export_thread(self, params: ThreadExportParams) -> ThreadExportResponse:
        return ThreadExportResponse(text=await asyncio.to_thread(self._exported, params))

    def _exported(self, params: ThreadExportParams) -> str:
        ledger = self._startup.ledger
        if params.format != "json":
            return "".join(export(ledger, params.thread_id, params.format))
        lines = [line.rstrip("\n") for line in export(ledger, params.thread_id, "jsonl")]
        return "[\n" + ",\n".join(lines) + "\n]\n"

    async def read_plan(self, params: PlanReadParams) -> PlanReadResponse:
        ledger = self._startup.ledger
        session = await ledger.find_session(params.thread_id)
        plans = ledger.plans(session.conversation_id)
        phase = ledger.conversation(session.conversation_id).phase
        if not plans:
            return PlanReadResponse(content=None, phase=phase)
        return PlanReadResponse(content=plans[-1].content, status=plans[-1].status, phase=phase)

    async def read_report(self, params: ReportReadParams) -> ReportReadResponse:
        return ReportReadResponse(data=await asyncio.to_thread(lambda: list(self._pages(params.thread_id))))

    def _pages(self, thread_id: str | None) -> Iterator[ReportPage]:
        startup = self._startup
        known = Redactor(startup.credentials.secrets(secret_names(startup.settings)))
        for name, collected in PAGES.items():
            try:
                told = collected(startup, thread_id)
            except DaedalError as trouble:  # One page that cannot be made must not cost the others.
                told = {"trouble": str(trouble)}
            plain = without_lookalikes(known.value(msgspec.to_builtins(told)))
            text = plain if isinstance(plain, str) else msgspec.json.format(msgspec.json.encode(plain)).decode() + "\n"
            about = say(f"app.report.{name.partition('.')[0]}")
            yield ReportPage(name=name, about=about, text=text)


def _versions(startup: Startup, thread_id: str | None) -> dict[str, Any]:
    model = startup.model
    return {
        "daedal": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "ledger": SCHEMA_VERSION,
        "session": thread_id,
        "provider": model.provider if model else None,
        "model": model.model_id if model else None,
        "environment": {name: os.environ[name] for name in TOLD_VALUES if name in os.environ},
        "set": [name for name in TOLD_VARIABLES if os.environ.get(name)],
    }


def _settings(startup: Startup, thread_id: str | None) -> Any:
    """As they are in the record, where keys were left out already."""
    del thread_id
    kept = startup.ledger.snapshot("effective")
    warnings: list[str] = list(startup.warnings)
    return {"effective": msgspec.json.decode(kept) if kept else None, "warnings": warnings}


def _session(startup: Startup, thread_id: str | None) -> str:
    """The newest entries, as an export has them."""
    if thread_id is None or (session_id := _stored(startup.ledger, thread_id)) is None:
        return ""
    first, *lines = export(startup.ledger, session_id, "jsonl")
    return "".join([first, *lines[-ENTRIES_MAX:]])


def _decisions(startup: Startup, thread_id: str | None) -> dict[str, Any]:
    ledger = startup.ledger
    session_id = None if thread_id is None else _stored(ledger, thread_id)
    if session_id is None:
        return {"verdicts": [], "hooks": [], "events": [], "calls": []}
    return {
        "verdicts": ledger.verdicts(session_id)[-ROWS_MAX:],
        "hooks": ledger.hook_runs(session_id=session_id, limit=ROWS_MAX),
        "events": ledger.events(session_id)[-ROWS_MAX:],
        "calls": ledger.calls(session_id)[-ROWS_MAX:],
    }


def _health(startup: Startup, thread_id: str | None) -> Any:
    del thread_id
    return startup.ledger.health()


def _stored(ledger: Ledger, thread_id: str) -> str | None:
    """None for a thread that has had no turn yet."""
    try:
        return ledger.reader.find_session(thread_id).session_id
    except UsageError:
        return None


PAGES: dict[str, Callable[[Startup, str | None], Any]] = {
    "versions.json": _versions,
    "settings.json": _settings,
    "session.jsonl": _session,
    "decisions.json": _decisions,
    "health.json": _health,
}
