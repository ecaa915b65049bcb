"""How does a session leave the ledger? `daedal export ID`, for programs or for people."""

import argparse
import sys

from daedal.app import open_ledger
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser
from daedal.cli.printing import for_reader
from daedal.ledger import export
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError


def parser() -> argparse.ArgumentParser:
    parser = Parser("export")
    parser.add_argument("id", help=say("cli.sessions.id"))
    parser.add_argument("--format", choices=["jsonl", "markdown"], default="jsonl", help=say("cli.export.format"))
    parser.add_argument("-o", "--output", metavar="FILE", help=say("cli.export.output"))
    return parser


def run(options: Options) -> int:
    with open_ledger() as ledger:
        if ledger is None:
            raise UsageError(say("cli.export.none", id=options.id))
        pieces = export(ledger, options.id, options.format)
        if options.output is None:
            for piece in pieces:
                sys.stdout.write(for_reader(piece))
            return ExitCode.DONE
        try:
            with open(options.output, "w", encoding="utf-8") as file:
                file.writelines(pieces)
        except OSError as error:
            raise UsageError(say("cli.export.unwritable", path=options.output, error=error)) from error
    return ExitCode.DONE
