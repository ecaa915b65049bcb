"""How far is a delivery? `daedal status`, from any terminal, once or for as long as one watches."""

import argparse
import os
import sys
import time

import msgspec

from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.overviewing import board_table
from daedal.cli.parsing import Parser
from daedal.cli.printing import visible
from daedal.cli.streams import put_json
from daedal.delivery import Overview, in_words, overview
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

CLEAR = "\x1b[H\x1b[J"
TICK_S = 0.5


def parser() -> argparse.ArgumentParser:
    parser = Parser("status")
    parser.add_argument("-p", "--project-dir", metavar="DIR", help=say("cli.run.project_dir"))
    parser.add_argument("--watch", action="store_true", help=say("cli.status.watch"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    return parser


def run(options: Options) -> int:
    project = os.path.abspath(options.project_dir or os.getcwd())
    if not os.path.isdir(project):
        raise UsageError(say("cli.run.no_project", path=project))
    view = overview(project)
    _show(view, project, as_json=options.json)
    while options.watch:
        time.sleep(TICK_S)
        now = overview(project)
        if now != view:
            view = now
            if sys.stdout.isatty() and not options.json:
                sys.stdout.write(CLEAR)
            _show(view, project, as_json=options.json)
    return ExitCode.DONE


def _show(view: Overview | None, project: str, *, as_json: bool) -> None:
    if as_json:
        put_json(msgspec.json.encode(view))
    elif view is None:
        print(say("cli.status.none", project=visible(project)), flush=True)
    else:
        print(visible("\n".join([board_table(view), *_about(view)])), flush=True)


def _about(view: Overview) -> list[str]:
    lines = [
        say(
            "cli.status.sessions",
            sessions=view.sessions,
            cost=f"{view.cost_usd:.4f}",
            duration=in_words(view.duration_s),
        )
    ]
    if view.running is not None:
        session = view.session or {"number": 0, "instruction": "-"}
        lines.append(
            say(
                "cli.status.running",
                command=view.running.command,
                pid=view.running.pid,
                since=view.running.since,
                number=session["number"],
                instruction=session["instruction"],
            )
        )
    elif view.reason:
        lines.append(say("cli.status.ended", command=view.command, reason=view.reason))
    elif view.command:
        lines.append(say("cli.status.cut_off", command=view.command))
    return lines
