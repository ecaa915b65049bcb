"""How far is a delivery? `daedal status`, from any terminal, once or for as long as one watches."""

import argparse
import os
import sys
import time

import msgspec

from daedal.cli.delivery_terms import project_of
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.overviewing import board_table
from daedal.cli.parsing import Parser
from daedal.cli.printing import obeys, visible
from daedal.cli.streams import put_json
from daedal.delivery import Overview, Standing, in_words
from daedal.protocol.catalogue import say

CLEAR = "\x1b[H\x1b[J"
TICK_S = 0.5


def parser() -> argparse.ArgumentParser:
    parser = Parser("status")
    parser.add_argument("-p", "--project-dir", metavar="DIR", help=say("cli.run.project_dir"))
    parser.add_argument("--watch", action="store_true", help=say("cli.status.watch"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    return parser


def run(options: Options) -> int:
    project = project_of(options)
    standing = Standing(project)
    view = standing.look()
    _show(view, project, as_json=options.json)
    while options.watch:
        time.sleep(TICK_S)
        now = standing.look()
        if now != view:
            view = now
            if obeys(sys.stdout) and not options.json:
                sys.stdout.write(CLEAR)
            _show(view, project, as_json=options.json)
    return ExitCode.DONE


def _show(view: Overview | None, project: str, *, as_json: bool) -> None:
    if as_json:
        put_json(msgspec.json.encode(view))
    elif view is None:
        print(say("cli.status.none", project=visible(project)), flush=True)
    else:
        colors = obeys(sys.stdout) and not os.environ.get("NO_COLOR")
        print(board_table(view, colors=colors), visible("\n".join(_about(view))), sep="\n", flush=True)


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
