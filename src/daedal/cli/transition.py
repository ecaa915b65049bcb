"""How does an operator move a conversation to another phase? `daedal --transition PHASE --conversation ID`."""

import argparse
import os

from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser
from daedal.cli.printing import visible
from daedal.cli.streams import complain
from daedal.config import database_path
from daedal.ledger import Ledger
from daedal.phases import Grounds, NothingCovered, Phase, judge
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.records import PhaseChanged


def parser() -> argparse.ArgumentParser:
    parser = Parser("transition", flag="--transition")
    parser.add_argument(
        "--transition", choices=list(map(str, Phase)), required=True, dest="phase", help=say("cli.transition.phase")
    )
    parser.add_argument("--conversation", metavar="ID", required=True, help=say("cli.transition.conversation"))
    return parser


def run(options: argparse.Namespace) -> int:
    path = database_path()
    if not os.path.exists(path):
        raise UsageError(say("ledger.conversation_unknown_empty", prefix=options.conversation))
    ledger = Ledger.open(path)
    try:
        return _move(ledger, options.conversation, Phase(options.phase))
    finally:
        ledger.close()


def _move(ledger: Ledger, wanted: str, after: Phase) -> int:
    found = ledger.conversation(wanted)
    grounds = Grounds(
        has_approved_plan=found.has_approved_plan,
        coverage=NothingCovered().report(found.id),
        is_operator=True,
    )
    move = judge(found.phase, after, grounds)
    if move.refusal is not None:
        complain(say("cli.transition.refused", id=found.id, before=found.phase, after=after, reason=move.refusal))
        return ExitCode.FAILED
    by = f"person:{os.environ.get('USER') or os.getuid()}"
    detail = {"by": by, **move.detail}
    ledger.change_phase(PhaseChanged(conversation_id=found.id, before=found.phase, after=after, detail=detail))
    print(visible(say("cli.transition.moved", id=found.id, before=found.phase, after=after)))
    return ExitCode.DONE
