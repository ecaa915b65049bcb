"""Which MCP servers are there, and do they work? `daedal mcp`: add, remove, list, get, test, trust, login; serve."""

import argparse
import asyncio
import os
from collections.abc import Sequence
from typing import Any

import msgspec

from daedal.app import Credentials, Settings, secret_names, settings_in_force
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, Part, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import complain, warn
from daedal.config import (
    add_plugin,
    add_server,
    home,
    project_root,
    remove_plugin,
    remove_server,
    servers_path,
    settings_files,
)
from daedal.mcp import Approvals, ServerConfig, Tokens, gathered, slug_of
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.sandbox import ProcessSpawner


class _Part(Part):
    """One action's options. What follows `--` is a command as it stands."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]
        words = list(args or [])
        command: list[str] = []
        if "--" in words:
            words, command = words[: words.index("--")], words[words.index("--") + 1 :]
        parsed, rest = super().parse_known_args(words, namespace)
        if hasattr(parsed, "words"):
            # argparse takes the words right behind the name, and none where an option stands between.
            parsed.words += [word for word in rest if not word.startswith("-")]
            rest = [word for word in rest if word.startswith("-")]
        parsed.command = command
        return parsed, rest


def parser() -> argparse.ArgumentParser:
    parser = Parser("mcp")
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="ACTION", parser_class=_Part, help=say("cli.flag.action")
    )
    add = actions.add_parser("add", help=say("cli.mcp.add"))
    add.add_argument("name", metavar="NAME", help=say("cli.mcp.name"))
    add.add_argument("words", nargs="*", metavar="COMMAND|URL", help=say("cli.mcp.words"))
    add.add_argument("-t", "--transport", choices=["stdio", "http", "sse"], help=say("cli.mcp.transport"))
    add.add_argument("-e", "--env", action="append", default=[], metavar="K=V", help=say("cli.mcp.env"))
    add.add_argument("-H", "--header", action="append", default=[], metavar="'K: V'", help=say("cli.mcp.header"))
    add.add_argument("--timeout", type=int, metavar="S", help=say("cli.mcp.timeout"))
    add.add_argument("--read-only", action="append", default=[], metavar="TOOL", help=say("cli.mcp.read_only"))
    for name in ("remove", "get", "test", "login", "trust"):
        part = actions.add_parser(name, help=say(f"cli.mcp.{name}"))
        part.add_argument("name", metavar="NAME", help=say("cli.mcp.name"))
        if name in ("get", "test"):
            part.add_argument("--json", action="store_true", help=say("cli.flag.json"))
        if name == "trust":
            part.add_argument("--yes", action="store_true", help=say("cli.mcp.yes"))
        add_project_folder(part)
    listing = actions.add_parser("list", help=say("cli.mcp.list"))
    listing.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(listing)
    add_project_folder(add)
    _add_serving(actions.add_parser("serve", help=say("cli.mcp.serve"), description=say("cli.mcp.serve")))
    for part in (add, actions.choices["remove"]):
        part.add_argument("--scope", choices=["user", "project"], default="user", help=say("cli.mcp.scope"))
    return parser


def _add_serving(part: argparse.ArgumentParser) -> None:
    from daedal.cli.mcp_serve import add_arguments

    add_arguments(part)


def run(options: argparse.Namespace) -> int:
    folder = os.path.realpath(options.cd or os.getcwd())
    match options.action:
        case "add":
            return _add(options, folder)
        case "remove":
            return _remove(options, folder)
        case "list":
            return _list(folder, json=options.json)
        case "get":
            return _get(options.name, folder, json=options.json)
        case "serve":
            from daedal.cli.mcp_serve import serve

            return serve(Options(**vars(options)))
        case _:
            from daedal.cli.mcp_trying import try_server

            config, spawner = _found(options.name, folder)
            return asyncio.run(try_server(options, config, spawner, folder))


def configured(folder: str) -> tuple[list[ServerConfig], ProcessSpawner]:
    """The servers in force in the folder, after a warning for each that is not."""
    found = settings_in_force(folder, lambda trouble: warn(str(trouble)))
    names = secret_names(found.value)
    spawner = ProcessSpawner(names)
    configs, warnings = gathered(
        found.value.plugins,
        origin=lambda index: found.origin("plugins", index),
        schema=Settings,
        files=settings_files(folder),
        user_variables=Credentials().environment(),
        child_environment=spawner.environment(),
        credential_names=names,
        call_timeout_s=found.value.tools.mcp_call_timeout_seconds,
    )
    for warning in (*found.warnings, *warnings):
        warn(warning)
    return configs, spawner


def _found(name: str, folder: str) -> tuple[ServerConfig, ProcessSpawner]:
    configs, spawner = configured(folder)
    config = next((config for config in configs if name in (config.name, config.slug)), None)
    if config is None:
        known = ", ".join(config.slug for config in configs) or say("cli.mcp.no_servers")
        raise UsageError(say("cli.mcp.unknown", name=name, known=known))
    return config, spawner


def _add(options: argparse.Namespace, folder: str) -> int:
    words: list[str] = [*options.words, *options.command]
    if not words:
        raise UsageError(say("cli.mcp.no_target"))
    if not slug_of(options.name):
        raise UsageError(say("cli.mcp.bad_name", name=options.name))
    is_url = words[0].startswith(("http://", "https://"))
    transport = options.transport or ("http" if is_url else "stdio")
    if (transport == "stdio") == is_url or (is_url and len(words) > 1):
        raise UsageError(say("cli.mcp.bad_target", transport=transport))
    said: dict[str, Any] = {} if transport == "stdio" else {"type": transport, "url": words[0]}
    if transport == "stdio":
        said = {"command": words[0], **({"args": words[1:]} if words[1:] else {})}
    if env := dict(_pair(text, "=", "--env") for text in options.env):
        said["env"] = env
    if headers := dict(_pair(text, ":", "--header") for text in options.header):
        said["headers"] = headers
    if options.scope == "project":
        if options.timeout or options.read_only:
            raise UsageError(say("cli.mcp.users_alone"))
        file = servers_path(project_root(folder))
        add_server(file, options.name, said)
    else:
        file = settings_files(folder).user
        limits = {"call_timeout_seconds": options.timeout} if options.timeout else {}
        trusted = {"trusted_read_only_tools": options.read_only} if options.read_only else {}
        add_plugin(file, {"name": options.name, **said, **limits, **trusted}, Settings)
    print(visible(say(f"cli.mcp.added_{options.scope}", name=options.name, file=file, slug=slug_of(options.name))))
    return ExitCode.DONE


def _pair(text: str, sign: str, flag: str) -> tuple[str, str]:
    name, found, value = text.partition(sign)
    if not found or not name.strip():
        raise UsageError(say("cli.mcp.bad_pair", flag=flag, text=one_line(name, 60), sign=sign))
    return name.strip(), value.strip() if sign == ":" else value


def _remove(options: argparse.Namespace, folder: str) -> int:
    if options.scope == "project":
        file = servers_path(project_root(folder))
        is_gone = remove_server(file, options.name)
    else:
        file = settings_files(folder).user
        is_gone = remove_plugin(file, options.name, Settings)
    if not is_gone:
        complain(say("cli.mcp.not_there", name=options.name, file=file))
        return ExitCode.FAILED
    print(visible(say("cli.mcp.removed", name=options.name, file=file)))
    return ExitCode.DONE


def _list(folder: str, *, json: bool) -> int:
    rows = [_shown(config) for config in configured(folder)[0]]
    if json:
        print(msgspec.json.encode(rows).decode())
    elif not rows:
        print(say("cli.mcp.none"))
    else:
        cells = [
            [row["slug"], row["transport"], _count(row["accepted_tools"]), one_line(row["target"], 60), row["origin"]]
            for row in rows
        ]
        print(visible(table(say("cli.mcp.headings").split("|"), cells)))
    return ExitCode.DONE


def _count(tools: list[str] | None) -> str:
    return "-" if tools is None else str(len(tools))


def _get(name: str, folder: str, *, json: bool) -> int:
    row = _shown(_found(name, folder)[0])
    if json:
        print(msgspec.json.encode(row).decode())
        return ExitCode.DONE
    for key, value in row.items():
        shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        print(visible(f"{key:<24}{shown}"))
    return ExitCode.DONE


def _shown(config: ServerConfig) -> dict[str, Any]:
    """Without what may be secret: of headers and variables only the names."""
    try:
        accepted = Approvals(home(), config).digests()
    except ConfigurationError as error:
        warn(str(error))
        accepted = None
    return {
        "name": config.name,
        "slug": config.slug,
        "transport": config.transport,
        "target": config.url or " ".join([config.command, *config.args]),
        "env": sorted(config.env),
        "headers": sorted(config.headers),
        "call_timeout_seconds": config.call_timeout_s,
        "tool_timeout_seconds": config.tool_timeouts_s,
        "trusted_read_only_tools": config.trusted_read_only,
        "accepted_tools": None if accepted is None else sorted(accepted),
        "logged_in": Tokens(home(), config).is_there,
        "scope": "project" if config.is_project else "user",
        "origin": config.origin,
    }
