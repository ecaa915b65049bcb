"""Who can be given a task here, and what is one told? `daedal agents list`, `daedal agents show NAME`."""

import argparse

import msgspec

from daedal.cli.exit_codes import ExitCode
from daedal.cli.in_force import project_in_force
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import put_json, warn
from daedal.config import AgentType, AgentTypes, subagent_model_for
from daedal.engine import AgentSettings
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

DESCRIPTION_MAX = 80
TOOLS_MAX = 40
NO_VALUE = "-"


def parser() -> argparse.ArgumentParser:
    parser = Parser("agents")
    parser.add_argument("action", nargs="?", choices=["list", "show"], default="list", help=say("cli.agents.action"))
    parser.add_argument("name", nargs="?", metavar="NAME", help=say("cli.agents.name"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    if (options.action == "show") != (options.name is not None):
        raise UsageError(say("cli.agents.name_with_show"))
    folder, settings = project_in_force(options.cd)
    types = AgentTypes(folder)
    if options.name is not None:
        return _show(types, options.name, settings.agent, json=options.json)
    return _list(types, settings.agent, json=options.json)


def _list(types: AgentTypes, settings: AgentSettings, *, json: bool) -> int:
    found = types.look()
    if json:
        agents = [{**msgspec.to_builtins(one), "runs_on": _model(one, settings)} for one in found.types]
        put_json(msgspec.json.encode({"agents": agents, "problems": found.problems}))
        return ExitCode.DONE
    for problem in found.problems:
        warn(problem)
    print(table(say("cli.agents.headings").split("|"), [_row(one, settings) for one in found.types]))
    return ExitCode.DONE


def _row(one: AgentType, settings: AgentSettings) -> list[str]:
    return [
        one.name,
        one.source,
        one_line(_tools(one), TOOLS_MAX),
        _model(one, settings) or NO_VALUE,
        one_line(one.description, DESCRIPTION_MAX),
    ]


def _tools(one: AgentType) -> str:
    named = say("cli.agents.all_tools") if one.tools is None else ", ".join(one.tools) or NO_VALUE
    return say("cli.agents.all_but", tools=named, others=", ".join(one.disallowed)) if one.disallowed else named


def _model(one: AgentType, settings: AgentSettings) -> str | None:
    """None where that is the model of whoever asks."""
    return subagent_model_for(one.name, one.model, default=settings.subagent_model, by_name=settings.subagent_models)


def _show(types: AgentTypes, name: str, settings: AgentSettings, *, json: bool) -> int:
    loaded = types.load(name)
    one = loaded.type
    if json:
        told = {**msgspec.to_builtins(one), "runs_on": _model(one, settings), "prompt": loaded.prompt}
        put_json(msgspec.json.encode(told))
        return ExitCode.DONE
    lines = [
        *(f"{one.name}  ({one.source}{f': {one.path}' if one.path else ''})", one.description),
        say(
            "cli.agents.how",
            tools=_tools(one),
            model=_model(one, settings) or NO_VALUE,
            turns=one.max_turns or NO_VALUE,
            isolation=one.isolation or NO_VALUE,
        ),
        *("", loaded.prompt),
    ]
    print(visible("\n".join(lines)))
    return ExitCode.DONE
