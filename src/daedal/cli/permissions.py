"""Which rules are in force, and what would they say? `daedal permissions` lists, explains, adds and removes."""

import argparse
import os

import msgspec

from daedal.app import Settings, explained, folder_policy, listed_rules, settings_in_force, write_rule
from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import warn
from daedal.config import Effective
from daedal.permissions import compile_rules
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.inventory import ListedRule

ARGUMENTS = {"list": 0, "why": 1, "add": 2, "remove": 2}


def parser() -> argparse.ArgumentParser:
    parser = Parser("permissions")
    parser.add_argument(
        "action", nargs="?", choices=list(ARGUMENTS), default="list", help=say("cli.permissions.action")
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help=say("cli.permissions.words"))
    parser.add_argument("--input", metavar="JSON", default=None, help=say("cli.permissions.input"))
    parser.add_argument("--project", action="store_true", help=say("cli.permissions.project"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    if len(options.words) != ARGUMENTS[options.action]:
        raise UsageError(say(f"cli.permissions.usage_{options.action}"))
    folder = os.path.realpath(options.cd or os.getcwd())
    match options.action:
        case "add" | "remove":
            _change(options, folder)
        case "why":
            _explain(options.words[0], options.input, folder, json=options.json)
        case _:
            _list(folder, json=options.json)
    return ExitCode.DONE


def _change(options: argparse.Namespace, folder: str) -> None:
    behavior, rule = options.words
    done = write_rule(folder, behavior, rule, is_project=options.project, remove=options.action == "remove")
    outcome = options.action if done.changed else f"{options.action}_nothing"
    if options.json:
        plain = {"list": behavior, "rule": done.rule, "file": done.file, "changed": done.changed}
        print(msgspec.json.encode(plain).decode())
        return
    print(visible(say(f"cli.permissions.done_{outcome}", behavior=behavior, rule=done.rule, file=done.file)))


def _list(folder: str, *, json: bool) -> None:
    found = _in_force(folder)
    permissions = found.value.permissions
    rules, _ = compile_rules(permissions, managed=found.managed.permissions if found.managed else None)
    rows = listed_rules(found)
    if json:
        whole = {
            "defaultMode": rules.effective_mode(),
            "mode": rules.mode,
            "additionalDirectories": list(rules.directories),
            "disableBypassPermissionsMode": rules.is_bypass_disabled,
            "allowManagedPermissionRulesOnly": rules.managed_only,
            "rules": rows,
        }
        print(msgspec.json.encode(whole).decode())
        return
    print(say("cli.permissions.modes", default_mode=rules.effective_mode(), mode=rules.mode))
    if rules.managed_only:
        print(say("cli.permissions.managed_only"))
    if not rows:
        print(say("cli.permissions.none"))
        return
    cells = [[row.list, _shown(row), row.origin] for row in rows]
    print(visible(table(say("cli.permissions.headings").split("|"), cells)))


def _shown(row: ListedRule) -> str:
    rule = one_line(row.rule, 80)
    return rule if row.invalid is None else say("cli.permissions.marked", rule=rule, why=row.invalid)


def _explain(asked: str, given: str | None, folder: str, *, json: bool) -> None:
    found = _in_force(folder)
    for row in listed_rules(found):
        if row.invalid is not None:
            warn(f"{row.origin}: {say('permissions.invalid', behavior=row.list, rule=row.rule, why=row.invalid)}")
    told = explained(folder_policy(found, folder), asked, given, folder)
    if json:
        print(msgspec.json.encode(told).decode())
        return
    print(visible(say("cli.permissions.verdict", call=one_line(asked, 80), verdict=told.decision, rule=told.rule)))
    print(visible(f"  {told.reason}\n"))
    cells = [[say(f"cli.permissions.stage_{step.stage}"), step.decision or "-", step.rule or ""] for step in told.steps]
    print(visible(table(say("cli.permissions.step_headings").split("|"), cells)))
    others = [f"{behavior}: {rule}" for behavior, rules in told.rules.items() for rule in rules]
    if len(others) > 1:
        print(visible("\n" + say("cli.permissions.speaking", rules=", ".join(others))))


def _in_force(folder: str) -> Effective[Settings]:
    found = settings_in_force(folder, lambda trouble: warn(say("cli.config.from_files", trouble=trouble)))
    for warning in found.warnings:
        warn(warning)
    return found
