"""Which custom commands can a prompt begin with? `daedal commands` lists them, and says which files are none."""

import argparse
import os

import msgspec

from daedal.app import settings_in_force
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table
from daedal.cli.streams import put_json, warn
from daedal.config import FilePrompts
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.prompts import CommandInfo, CommandListParams

NAME_MAX = 40
DESCRIPTION_MAX = 80


def parser() -> argparse.ArgumentParser:
    parser = Parser("commands")
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    folder = os.path.abspath(options.cd or os.getcwd())
    if not os.path.isdir(folder):
        raise UsageError(say("engine.no_such_folder", path=folder))
    skills = settings_in_force(folder, lambda trouble: warn(str(trouble))).value.skills
    listed = FilePrompts(closed=list, skills=skills).commands(CommandListParams(cwd=folder))
    if options.json:
        put_json(msgspec.json.encode(listed))
        return ExitCode.DONE
    for problem in listed.problems:
        warn(problem)
    if listed.data:
        print(table(say("cli.commands.headings").split("|"), [_row(info) for info in listed.data]))
    else:
        print(say("cli.commands.none"))
    return ExitCode.DONE


def _row(info: CommandInfo) -> list[str]:
    return [
        one_line(f"/{info.name} {info.argument_hint}", NAME_MAX),
        info.source,
        one_line(info.description, DESCRIPTION_MAX),
    ]
