"""What does the agent plan to do, and may it? `daedal plan` lists, shows, and approves the newest draft."""

import argparse
import os

import msgspec

from daedal.app import open_ledger
from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import complain
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
    parser.add_argument("--conversation", metavar="ID", help=say("cli.plan.conversation"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    with open_ledger() as ledger:
        found = _conversation(ledger, options)
        plans = ledger.plans(found.id) if ledger is not None and found is not None else []
    if options.action == "approve" and found is not None and plans:
        return _approve(found, plans[-1])
    if options.action == "list" and options.json:
        print(msgspec.json.encode(plans).decode())
    elif not plans:
        tell = print if options.action == "list" else complain
        tell(say("cli.plan.none"))
    elif options.action == "list":
        print(visible(table(say("cli.plan.headings").split("|"), [_row(plan) for plan in plans])))
    elif options.json:
        print(msgspec.json.encode(plans[-1]).decode())
    else:
        print(visible(plans[-1].content))
    return ExitCode.DONE if plans or options.action == "list" else ExitCode.FAILED


def _conversation(ledger: Ledger | None, options: argparse.Namespace) -> StoredConversation | None:
    """The one that was named, or the newest of this folder."""
    if options.conversation is not None:
        if ledger is None:
            raise UsageError(say("ledger.conversation_unknown_empty", prefix=options.conversation))
        return ledger.conversation(options.conversation)
    here = os.path.realpath(options.cd or os.getcwd())
    return next(iter(ledger.conversations(limit=1, project_dir=here)), None) if ledger is not None else None


def _approve(found: StoredConversation, plan: StoredPlan) -> int:
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
    print(visible(say("cli.plan.approved", id=found.id, plan=plan.id)))
    return ExitCode.DONE


def _row(plan: StoredPlan) -> list[str]:
    begins = next((line.strip("# ") for line in plan.content.splitlines() if line.strip("# ")), "")
    return [
        str(plan.id),
        plan.status,
        plan.created_at,
        plan.approved_at or "",
        plan.hash[:HASH_SHOWN],
        one_line(begins, LINE_MAX),
    ]
