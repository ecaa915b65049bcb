"""What has been worked on? `daedal sessions` lists, `daedal sessions show ID` tells one session's story.

What fills its window, and how that is made short again, is in `sessions_context`; going back in `sessions_rewind`.
"""

import argparse
import asyncio
import os
from typing import Any

import msgspec

from daedal.app import open_ledger
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options, whole_number
from daedal.cli.parsing import Parser, typed
from daedal.cli.printing import one_line, table, visible
from daedal.ledger import Ledger
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.records import EntryType, StoredEntry, StoredSession

WITH_ID = ("show", "context", "compact", "rewind")
LIMIT = 20
CONTENT_MAX = 300
NAME_MAX = 60
ID_SHOWN = 13
"""Enough of a time-sorted id to be unique in practice; any unique beginning is accepted back."""


def parser() -> argparse.ArgumentParser:
    parser = Parser("sessions")
    actions = ["list", *WITH_ID]
    parser.add_argument("action", nargs="?", choices=actions, default="list", help=say("cli.sessions.action"))
    parser.add_argument("id", nargs="?", help=say("cli.sessions.id"))
    parser.add_argument("--here", action="store_true", help=say("cli.sessions.here"))
    parser.add_argument("--archived", action="store_true", help=say("cli.sessions.archived"))
    parser.add_argument("--limit", type=typed(whole_number), default=LIMIT, metavar="N", help=say("cli.sessions.limit"))
    parser.add_argument("--focus", metavar="TEXT", help=say("cli.sessions.focus"))
    parser.add_argument("--before", metavar="TURN", help=say("cli.sessions.before"))
    parser.add_argument("--files", action="store_true", help=say("cli.sessions.files"))
    parser.add_argument("--conversation", action="store_true", help=say("cli.sessions.conversation"))
    parser.add_argument("--force", action="store_true", help=say("cli.sessions.force"))
    parser.add_argument("--dry-run", action="store_true", help=say("cli.sessions.dry_run"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    return parser


def run(options: Options) -> int:
    if (options.action in WITH_ID) != (options.id is not None):
        raise UsageError(say("cli.sessions.id_with_show"))
    if options.focus is not None and options.action != "compact":
        raise UsageError(say("cli.sessions.focus_alone"))
    if options.before is not None and options.action != "rewind":
        raise UsageError(say("cli.sessions.before_alone"))
    if options.action == "rewind":
        from daedal.cli.sessions_rewind import rewind

        return asyncio.run(rewind(options))
    if options.action in ("context", "compact"):
        from daedal.cli import sessions_context

        return asyncio.run(
            {"context": sessions_context.show, "compact": sessions_context.compact}[options.action](options)
        )
    with open_ledger() as ledger:
        if ledger is None:
            print("[]" if options.json else say("cli.sessions.none"))
        elif options.action == "show":
            asyncio.run(_show(ledger, options))
        else:
            asyncio.run(_list(ledger, options))
    return ExitCode.DONE


async def _list(ledger: Ledger, options: Options) -> None:
    sessions = await _found(ledger, options)
    if options.json:
        print(msgspec.json.encode(sessions).decode())
    elif not sessions:
        print(say("cli.sessions.none"))
    else:
        print(visible(table(say("cli.sessions.headings").split("|"), [_row(session) for session in sessions])))


async def _found(ledger: Ledger, options: Options) -> list[StoredSession]:
    """All that is on the record; for whoever wants to go on with one, those in which a person has begun something."""
    folder = os.path.realpath(os.getcwd()) if options.here else None
    is_for_resuming = getattr(options, "is_for_resuming", False)
    found: list[StoredSession] = []
    read = 0
    while len(found) < options.limit:
        page = await ledger.sessions(limit=options.limit, project_dir=folder, archived=options.archived, offset=read)
        found += [one for one in page if not is_for_resuming or (one.turns and not one.worked_for)]
        read += len(page)
        if len(page) < options.limit:
            break
    return found[: options.limit]


def _row(session: StoredSession) -> list[str]:
    return [
        session.session_id[:ID_SHOWN],
        session.last_active,
        str(session.status or "-"),
        str(session.turns),
        session.model_id or "-",
        f"{session.cost_usd:.4f}",
        one_line(session.project_dir, 40),
        ("↳ " if session.worked_for else "") + one_line(session.preview, 60),
    ]


async def _show(ledger: Ledger, options: Options) -> None:
    session = await ledger.find_session(options.id)
    entries = await ledger.entries(session.session_id)
    if options.json:
        whole = {
            "session": session,
            "turns": await ledger.turns(session.session_id),
            "entries": entries,
            "model_calls": ledger.calls(session.session_id),
            "verdicts": ledger.verdicts(session.session_id),
            "events": ledger.events(session.session_id),
        }
        print(msgspec.json.encode(whole).decode())
        return
    header = say(
        "cli.sessions.header",
        id=session.session_id,
        folder=session.project_dir,
        model=session.model_id or "-",
        provider=session.provider or "-",
        started=session.started_at,
        turns=session.turns,
        cost=f"{session.cost_usd:.4f}",
    )
    print(visible(header))
    verdicts = {verdict.tool_use_id: verdict for verdict in ledger.verdicts(session.session_id)}
    for entry in entries:
        line = _tell(entry)
        if line:
            verdict = verdicts.get(entry.tool_use_id or "") if entry.entry_type is EntryType.TOOL_USE else None
            print(f"{entry.sequence:>5}  {line}" + (f"  [{verdict.decision}]" if verdict else ""))


def _tell(entry: StoredEntry) -> str:
    """An entry in one line, or nothing where it is of no interest to a reader."""
    payload = entry.payload
    match entry.entry_type:
        case EntryType.USER:
            return "> " + one_line(_text(payload), CONTENT_MAX)
        case EntryType.ASSISTANT:
            return one_line(_text(payload), CONTENT_MAX)
        case EntryType.TOOL_USE:
            given = msgspec.json.encode(payload["input"]).decode()
            return f"{one_line(payload['name'], NAME_MAX)} {one_line(given, CONTENT_MAX)}"
        case EntryType.TOOL_RESULT:
            mark = "✗" if payload["is_error"] else "✓"
            return f"  {mark} {one_line(payload['content'], CONTENT_MAX)}"
        case EntryType.COLLAPSE_COMMIT:
            rows, summary = payload.get("folded_rows", 0), one_line(payload["summary"], CONTENT_MAX)
            return say("cli.sessions.fold", rows=rows, summary=summary)
        case _:
            return ""


def _text(payload: dict[str, Any]) -> str:
    return " ".join(block["text"] for block in payload["content"] if block["type"] == "text")
