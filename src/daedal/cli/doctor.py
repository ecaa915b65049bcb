"""What works here, what is missing, and what can be done about it? `daedal doctor`."""

import argparse
import os

import msgspec

from daedal import __version__
from daedal.app import examined
from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import visible
from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import Checkup
from daedal.protocol.widths import padded

MARKS = {"ok": "✓", "warning": "!", "missing": "✗"}


def parser() -> argparse.ArgumentParser:
    parser = Parser("doctor")
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    checks = examined(os.path.realpath(options.cd or os.getcwd()))
    if options.json:
        print(msgspec.json.encode({"version": __version__, "checks": checks}).decode())
    else:
        for found in checks:
            print(visible(_line(found)))
    return ExitCode.FAILED if any(found.state == "missing" for found in checks) else ExitCode.DONE


def _line(found: Checkup) -> str:
    advice = f" · {found.advice}" if found.advice else ""
    return f"{MARKS[found.state]} {padded(found.label, 14)} {found.detail}{advice}"
