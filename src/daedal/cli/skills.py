"""Which skills can a model load here, and what does one say? `daedal skills list`, `daedal skills show NAME`."""

import argparse

import msgspec

from daedal.cli.exit_codes import ExitCode
from daedal.cli.in_force import project_in_force
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import put_json, warn
from daedal.config import SkillInfo, SkillShelf, subagent_model_for
from daedal.engine import AgentSettings
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

DESCRIPTION_MAX = 80
NO_VALUE = "-"


def parser() -> argparse.ArgumentParser:
    parser = Parser("skills")
    parser.add_argument("action", nargs="?", choices=["list", "show"], default="list", help=say("cli.skills.action"))
    parser.add_argument("name", nargs="?", metavar="NAME", help=say("cli.skills.name"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    if (options.action == "show") != (options.name is not None):
        raise UsageError(say("cli.skills.name_with_show"))
    folder, settings = project_in_force(options.cd)
    shelf = SkillShelf(folder, settings.skills)
    if options.name is not None:
        return _show(shelf, options.name, settings.agent, json=options.json)
    return _list(shelf, settings.agent, json=options.json)


def _list(shelf: SkillShelf, settings: AgentSettings, *, json: bool) -> int:
    found = shelf.look()
    if json:
        skills = [{**msgspec.to_builtins(info), "runs_on": _model(info, settings)} for info in found.skills]
        put_json(msgspec.json.encode({"skills": skills, "problems": found.problems}))
        return ExitCode.DONE
    for problem in found.problems:
        warn(problem)
    if found.skills:
        print(table(say("cli.skills.headings").split("|"), [_row(info, settings) for info in found.skills]))
    else:
        print(say("cli.skills.none"))
    return ExitCode.DONE


def _row(info: SkillInfo, settings: AgentSettings) -> list[str]:
    return [
        info.name,
        info.source,
        say("cli.skills.apart") if info.runs_as_subagent else say("cli.skills.here"),
        _model(info, settings) or NO_VALUE,
        one_line(info.description, DESCRIPTION_MAX),
    ]


def _model(info: SkillInfo, settings: AgentSettings) -> str | None:
    """Of a sub-agent; None where that is the model of whoever asks."""
    if not info.runs_as_subagent:
        return None
    return subagent_model_for(info.name, info.model, default=settings.subagent_model, by_name=settings.subagent_models)


def _show(shelf: SkillShelf, name: str, settings: AgentSettings, *, json: bool) -> int:
    loaded = shelf.load(name.removeprefix("/"))
    if json:
        told = {**msgspec.to_builtins(loaded.info), "runs_on": _model(loaded.info, settings), "text": loaded.text}
        put_json(msgspec.json.encode(told))
        return ExitCode.DONE
    info = loaded.info
    lines = [
        *(f"{info.name}  ({info.source}: {info.path})", info.description),
        say(
            "cli.skills.how",
            how=say("cli.skills.apart") if info.runs_as_subagent else say("cli.skills.here"),
            model=_model(info, settings) or NO_VALUE,
            arguments=info.argument_hint or NO_VALUE,
        ),
        *("", loaded.text),
    ]
    print(visible("\n".join(lines)))
    return ExitCode.DONE
