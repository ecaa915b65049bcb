"""What does the agent plan to do, and may it? `daedal plan` lists, shows, and approves the newest draft."""

import argparse
import os

import msgspec

from daedal.app import open_ledger
from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import complain, tell
from daedal.config import database_path
from daedal.ledger import Ledger, StoredConversation, StoredPlan
from daedal.phases import Phase
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.records import PhaseChanged, PlanApproved

LINE_MAX = 60
HASH_SHOWN = 12


def parser() -> argparse.ArgumentParser:
    parser = Parser("plan")
    parser.add_argument(
        "action", nargs="?", choices=["list", "show", "approve"], default="list", help=say("cli.plan.action")
    )
    parser.add_argument("--plan", metavar="N", type=int, help=say("cli.plan.which"))
    parser.add_argument("--conversation", metavar="ID", help=say("cli.plan.conversation"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    with open_ledger() as ledger:
        found = _conversation(ledger, options)
        plans = ledger.plans(found.id) if ledger is not None and found is not None else []
    if options.action == "approve" and found is not None and plans:
        return _approve(found, plans[-1], options.plan)
    if options.plan is not None:
        plans = [plan for plan in plans if plan.id == options.plan]
    if options.action == "list" and options.json:
        print(msgspec.json.encode(plans).decode())
    elif not plans:
        missing = say("cli.plan.none") if options.plan is None else say("cli.plan.unknown", plan=options.plan)
        (print if options.action == "list" else complain)(missing)
    elif options.action == "list":
        print(visible(table(say("cli.plan.headings").split("|"), [_row(plan) for plan in plans])))
    else:
        _show(plans[-1], as_json=options.json)
    return ExitCode.DONE if plans or options.action == "list" else ExitCode.FAILED


def _show(plan: StoredPlan, *, as_json: bool) -> None:
    """The plan alone on standard output; which one it is, so that it and no other is approved, beside it."""
    if as_json:
        print(msgspec.json.encode(plan).decode())
        return
    print(visible(plan.content))
    words = "cli.plan.shown_draft" if plan.status == "draft" else "cli.plan.shown"
    tell(say(words, plan=plan.id, status=plan.status, hash=plan.hash[:HASH_SHOWN]))


def _conversation(ledger: Ledger | None, options: argparse.Namespace) -> StoredConversation | None:
    """The one that was named, or the newest of this folder."""
    if options.conversation is not None:
        if ledger is None:
            raise UsageError(say("ledger.conversation_unknown_empty", prefix=options.conversation))
        return ledger.conversation(options.conversation)
    here = os.path.realpath(options.cd or os.getcwd())
    return next(iter(ledger.conversations(limit=1, project_dir=here)), None) if ledger is not None else None


def _approve(found: StoredConversation, plan: StoredPlan, wanted: int | None) -> int:
    """The newest; where one is named, it must be that, since another may have been written after it was read."""
    if wanted is not None and plan.id != wanted:
        complain(say("cli.plan.not_newest", id=found.id, plan=wanted, newest=plan.id))
        return ExitCode.FAILED
    if plan.status != "draft":
        complain(say("cli.plan.no_draft", id=found.id, status=plan.status))
        return ExitCode.FAILED
    if found.phase != Phase.PLANNING:
        complain(say("cli.plan.not_planning", id=found.id, phase=found.phase))
        return ExitCode.FAILED
    by = f"person:{os.environ.get('USER') or os.getuid()}"
    ledger = Ledger.open(database_path())
    try:
        ledger.approve_plan(
            PlanApproved(conversation_id=found.id, content=plan.content),
            PhaseChanged(
                conversation_id=found.id, before=found.phase, after=Phase.IMPLEMENT, detail={"by": by, "plan": plan.id}
            ),
        )
    finally:
        ledger.close()
    approved = say("cli.plan.approved", id=found.id, plan=plan.id, hash=plan.hash[:HASH_SHOWN], begins=_begins(plan))
    print(visible(approved))
    return ExitCode.DONE


def _row(plan: StoredPlan) -> list[str]:
    return [
        str(plan.id),
        plan.status,
        plan.created_at,
        plan.approved_at or "",
        plan.hash[:HASH_SHOWN],
        _begins(plan),
    ]


def _begins(plan: StoredPlan) -> str:
    first = next((line.strip("# ") for line in plan.content.splitlines() if line.strip("# ")), "")
    return one_line(first, LINE_MAX)
