"""What was proved, and was the record of it tampered with? `daedal receipts`, and `daedal receipts verify`."""

import argparse

import msgspec

from daedal.app import open_ledger
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options, whole_number
from daedal.cli.parsing import Parser, typed
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import complain
from daedal.ledger import Ledger
from daedal.protocol.catalogue import say

LIMIT = 20
SHOWN = 90
ID_SHOWN = 13


def parser() -> argparse.ArgumentParser:
    parser = Parser("receipts")
    parser.add_argument(
        "action", nargs="?", choices=["list", "verify"], default="list", help=say("cli.receipts.action")
    )
    parser.add_argument("--limit", type=typed(whole_number), default=LIMIT, metavar="N", help=say("cli.receipts.limit"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    return parser


def run(options: Options) -> int:
    with open_ledger() as ledger:
        if ledger is None:
            print("[]" if options.json and options.action == "list" else say("cli.receipts.none"))
            return ExitCode.DONE
        return _verify(ledger, as_json=options.json) if options.action == "verify" else _list(ledger, options)


def _verify(ledger: Ledger, *, as_json: bool) -> int:
    check = ledger.verify_receipts()
    if as_json:
        print(msgspec.json.encode(check).decode())
    elif check.broken_at is None:
        print(say("cli.receipts.whole", count=check.count))
    else:
        complain(say("cli.receipts.broken", number=check.broken_at, count=check.count))
    return ExitCode.DONE if check.broken_at is None else ExitCode.FAILED


def _list(ledger: Ledger, options: Options) -> int:
    receipts = ledger.receipts(limit=options.limit)
    if options.json:
        print(msgspec.json.encode(receipts).decode())
        return ExitCode.DONE
    rows = [
        [
            str(receipt.id),
            receipt.created_at,
            receipt.kind,
            receipt.session_id[:ID_SHOWN],
            receipt.hash[:12],
            one_line(msgspec.json.encode(receipt.body).decode(), SHOWN),
        ]
        for receipt in receipts
    ]
    print(visible(table(say("cli.receipts.headings").split("|"), rows)))
    return ExitCode.DONE
