"""How far has the work come? `daedal phase`: the phase, the plan, and what may come next."""

import argparse
import os
from typing import Any

import msgspec

from daedal.app import open_ledger
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import whole_number
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import visible
from daedal.ledger import Ledger, StoredConversation
from daedal.phases import Grounds, NothingCovered, moves
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

LIMIT = 20


def parser() -> argparse.ArgumentParser:
    parser = Parser("phase")
    parser.add_argument("--conversation", metavar="ID", help=say("cli.phase.conversation"))
    parser.add_argument("--all", action="store_true", help=say("cli.phase.all"))
    parser.add_argument("--limit", type=whole_number, default=LIMIT, metavar="N", help=say("cli.phase.limit"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    with open_ledger() as ledger:
        found = _found(ledger, options)
    told = [_told(conversation) for conversation in found]
    if options.json:
        print(msgspec.json.encode(told).decode())
    elif not told:
        print(say("cli.phase.none"))
    for one in () if options.json else told:
        print(visible(say("cli.phase.line", **one)))
        for step in one["next"]:
            key = "cli.phase.blocked" if step["refusal"] else "cli.phase.open"
            print(visible(say(key, phase=step["phase"], reason=step["refusal"])))
    return ExitCode.DONE


def _found(ledger: Ledger | None, options: argparse.Namespace) -> list[StoredConversation]:
    """The one that was named, the recent ones, or the newest of this folder."""
    if options.conversation is not None:
        if ledger is None:
            raise UsageError(say("ledger.conversation_unknown_empty", prefix=options.conversation))
        return [ledger.conversation(options.conversation)]
    if ledger is None:
        return []
    if options.all:
        return ledger.conversations(limit=options.limit)
    return ledger.conversations(limit=1, project_dir=os.path.realpath(options.cd or os.getcwd()))


def _told(found: StoredConversation) -> dict[str, Any]:
    grounds = Grounds(
        has_approved_plan=found.has_approved_plan,
        coverage=NothingCovered().report(found.id),
        is_operator=True,
    )
    return {
        "id": found.id,
        "project_dir": found.project_dir,
        "phase": found.phase,
        "plan": found.plan_status or say("cli.phase.no_plan"),
        "has_approved_plan": found.has_approved_plan,
        "last_active": found.last_active,
        "next": [{"phase": str(move.after), "refusal": move.refusal} for move in moves(found.phase, grounds)],
    }
