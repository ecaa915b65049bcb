"""Which tools would a model be offered here? `daedal tools`, with --json for their schemas."""

import argparse
import os

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from daedal.app import Settings, settings_in_force
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import put_json, warn
from daedal.config import AgentTypes, SkillSettings, SkillShelf, home, project_root
from daedal.protocol.catalogue import say
from daedal.tools import Listing, NoAgents, NoSkills, ToolSettings, Worlds, offered

ABOUT_MAX = 90


class Told(Struct, frozen=True, kw_only=True):
    """A tool as `--json` tells it."""

    name: str
    description: str
    """As the model reads it."""
    read_only: bool
    deferred: bool
    """The model is told only its name, until it looks the tool up."""
    enabled: bool
    source: str
    """Where it comes from."""
    input_schema: Raw


def parser() -> argparse.ArgumentParser:
    parser = Parser("tools")
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    folder = os.path.realpath(options.cd or os.getcwd())
    found = settings_in_force(folder, lambda trouble: warn(str(trouble)))
    for warning in found.warnings:
        warn(warning)
    tools = [*told(found.value.tools, _worlds(folder, found.value)), *_lent(folder, found.value)]
    if options.json:
        put_json(msgspec.json.encode(tools))
        return ExitCode.DONE
    print(visible(table(say("cli.tools.headings").split("|"), [_row(tool) for tool in tools])))
    return ExitCode.DONE


class _Agents(NoAgents):
    """The types of agents as the model reads of them; nobody is set to work here."""

    def __init__(self, folder: str) -> None:
        self._types = AgentTypes(folder)

    def types(self) -> list[Listing]:
        return [Listing(one.name, one.description) for one in self._types.listed()]


class _Skills(NoSkills):
    def __init__(self, folder: str, settings: SkillSettings) -> None:
        self._shelf = SkillShelf(folder, settings)

    def listed(self) -> list[Listing]:
        return [Listing(one.name, one.description) for one in self._shelf.listed() if not one.only_for_people]


def _worlds(folder: str, settings: Settings) -> Worlds:
    return Worlds(agents=_Agents(folder), skills=_Skills(folder, settings.skills))


def _lent(folder: str, settings: Settings) -> list[Told]:
    """What MCP servers offered when they were accepted; none is started to ask."""
    if not settings.plugins and not os.path.lexists(os.path.join(project_root(folder), ".mcp.json")):
        return []
    from daedal.cli.mcp import configured
    from daedal.mcp import McpServers

    configs, spawner = configured(folder)
    servers = McpServers(configs, spawner=spawner, workspace=folder, home=home())
    return [
        Told(
            name=spec.name,
            description=spec.description,
            read_only=spec.read_only,
            deferred=spec.is_deferred,
            enabled=True,
            source=spec.name.split("__")[1],
            input_schema=spec.input_schema,
        )
        for spec in servers.specs()
    ]


def told(settings: ToolSettings, worlds: Worlds) -> list[Told]:
    """All there are, those that are not enabled too. Raises ConfigurationError."""
    specs = {spec.name: spec for spec in offered(settings, worlds)}
    everything = offered(replace(settings, enabled=[]), worlds)
    return [
        Told(
            name=spec.name,
            description=spec.description,
            read_only=spec.read_only,
            deferred=spec.is_deferred and spec.name in specs,
            enabled=spec.name in specs,
            source="built-in",
            input_schema=spec.input_schema,
        )
        for spec in (specs.get(spec.name, spec) for spec in everything)
    ]


def _row(tool: Told) -> list[str]:
    offer = "not" if not tool.enabled else "deferred" if tool.deferred else "at_first"
    return [
        tool.name,
        say("cli.tools.read_only" if tool.read_only else "cli.tools.not_read_only"),
        say(f"cli.tools.offer_{offer}"),
        tool.source,
        one_line(tool.description.partition(". ")[0], ABOUT_MAX),
    ]
