"""Which settings are in force, and who set them? `daedal config`, with get, set, unset and path."""

import argparse
import os
from typing import Any

import msgspec

from daedal.app import Settings, settings_in_force
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import for_reader, one_line, table, visible
from daedal.cli.streams import warn
from daedal.config import Files, explain, get_value, load_files, set_value, settings_files, unset
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

ARGUMENTS = {"list": 0, "get": 1, "set": 2, "unset": 1, "path": 0}


def parser() -> argparse.ArgumentParser:
    parser = Parser("config")
    parser.add_argument("action", nargs="?", choices=list(ARGUMENTS), default="list", help=say("cli.config.action"))
    parser.add_argument("key", nargs="?", help=say("cli.config.key"))
    parser.add_argument("value", nargs="?", help=say("cli.config.value"))
    parser.add_argument("--project", action="store_true", help=say("cli.config.project"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    given = sum(word is not None for word in (options.key, options.value))
    if given != ARGUMENTS[options.action]:
        raise UsageError(say(f"cli.config.takes_{ARGUMENTS[options.action]}", action=options.action))
    folder = os.path.realpath(options.cd or os.getcwd())
    files = settings_files(folder)
    target = files.to_change(folder, is_project=options.project)
    match options.action:
        case "path":
            _print_paths(files, json=options.json)
        case "set":
            value = set_value(target, options.key, options.value, Settings)
            print(say("cli.config.set", key=options.key, value=_shown(value), file=target))
        case "unset":
            unset(target, options.key, Settings)
            print(say("cli.config.unset", key=options.key, file=target))
        case "get":
            _print_value(get_value(_in_force(folder), options.key), json=options.json)
        case _:
            _print_all(files, folder, json=options.json)
    return ExitCode.DONE


def _in_force(folder: str) -> Settings:
    found = settings_in_force(folder, lambda trouble: warn(say("cli.config.from_files", trouble=trouble)))
    for warning in found.warnings:
        warn(warning)
    return found.value


def _print_all(files: Files, folder: str, *, json: bool) -> None:
    loaded = load_files(Settings, files, {})
    rows = explain(loaded, _in_force(folder))
    if json:
        plain = [
            {"key": row.key, "value": row.value, "origin": str(row.origin), "description": row.description}
            for row in rows
        ]
        print(msgspec.json.encode(plain).decode())
        return
    cells = [[row.key, one_line(_shown(row.value), 60), str(row.origin)] for row in rows]
    print(visible(table(say("cli.config.headings").split("|"), cells)))


def _print_paths(files: Files, *, json: bool) -> None:
    paths = {"user": files.user, "project": files.project}
    if json:
        print(msgspec.json.encode(paths).decode())
        return
    for name, path in paths.items():
        state = "exists" if path and os.path.exists(path) else "missing"
        print(say(f"cli.config.path_{state}", name=name, path=path or "daedal.toml"))


def _print_value(value: Any, *, json: bool) -> None:
    print(msgspec.json.encode(value).decode() if json else for_reader(_shown(value)))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
