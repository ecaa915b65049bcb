"""Which rules are in force, and what would they say? `daedal permissions` lists, explains, adds and removes."""

import argparse
import os
import re
from typing import Any, cast

import msgspec

from daedal.app import Settings
from daedal.cli.exit_codes import ExitCode
from daedal.cli.in_force import settings_in_force
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import warn
from daedal.config import (
    Effective,
    add_to_list,
    database_path,
    dotenv_path,
    home,
    remove_from_list,
    settings_files,
)
from daedal.permissions import (
    Grounds,
    InvalidRule,
    RulesPolicy,
    compile_rules,
    parse_rule,
    told_input,
    told_request,
)
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.verdict import Posture

ARGUMENTS = {"list": 0, "why": 1, "add": 2, "remove": 2}
BEHAVIORS = ("deny", "ask", "allow")
_CALL = re.compile(r"([^()]+)\((.*)\)", re.DOTALL)


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
    if behavior not in BEHAVIORS:
        raise UsageError(say("cli.permissions.no_list", name=behavior))
    files = settings_files(folder)
    file = (files.project or os.path.join(folder, "daedal.toml")) if options.project else files.user
    key = f"permissions.{behavior}"
    if options.action == "add":
        rule = _checked(rule)
        is_changed = add_to_list(file, key, rule, Settings)
    else:
        # Also what is no rule can be taken out again.
        is_changed = remove_from_list(file, key, rule, Settings)
    outcome = options.action if is_changed else f"{options.action}_nothing"
    if options.json:
        print(msgspec.json.encode({"list": behavior, "rule": rule, "file": file, "changed": is_changed}).decode())
        return
    print(visible(say(f"cli.permissions.done_{outcome}", behavior=behavior, rule=rule, file=file)))


def _checked(rule: str) -> str:
    try:
        return parse_rule(rule).text
    except ValueError as error:
        raise UsageError(say("cli.permissions.invalid", rule=rule, why=error)) from error


def _list(folder: str, *, json: bool) -> None:
    found = _in_force(folder)
    permissions = found.value.permissions
    rules, invalid = compile_rules(permissions, managed=found.managed.permissions if found.managed else None)
    rows = [row for behavior in BEHAVIORS for row in _rows(found, behavior, invalid)]
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
    cells = [[row["list"], _shown(row), row["origin"]] for row in rows]
    print(visible(table(say("cli.permissions.headings").split("|"), cells)))


def _rows(found: Effective[Settings], behavior: str, invalid: list[InvalidRule]) -> list[dict[str, Any]]:
    wrong = {rule.index: rule.why for rule in invalid if rule.behavior == behavior}
    listed = cast("list[str]", getattr(found.value.permissions, behavior))
    return [
        {
            "list": behavior,
            "rule": rule,
            "origin": found.origin(f"permissions.{behavior}", index),
            "invalid": wrong.get(index),
        }
        for index, rule in enumerate(listed)
    ]


def _shown(row: dict[str, Any]) -> str:
    rule = one_line(row["rule"], 80)
    return rule if row["invalid"] is None else say("cli.permissions.marked", rule=rule, why=row["invalid"])


def _explain(asked: str, given: str | None, folder: str, *, json: bool) -> None:
    tool, arguments = _call(asked, given)
    policy = _policy(_in_force(folder), folder)
    request = told_request(tool, arguments, folder, policy.place)
    steps = list(policy.steps(request))
    decision = policy.decide(request)
    rows = [
        {"stage": step.stage, "decision": None, "rule": None, "reason": None}
        if step.decision is None
        else {
            "stage": step.stage,
            "decision": step.decision.verdict,
            "rule": step.decision.rule,
            "reason": step.decision.reason,
        }
        for step in steps
    ]
    speaking = {
        behavior: [rule.text for rule in rules] for behavior, rules in policy.stages(request).speaking().items()
    }
    if json:
        whole = {"decision": decision.verdict, "rule": decision.rule, "reason": decision.reason}
        print(msgspec.json.encode({**whole, "steps": rows, "rules": speaking}).decode())
        return
    print(
        visible(say("cli.permissions.verdict", call=one_line(asked, 80), verdict=decision.verdict, rule=decision.rule))
    )
    print(visible(f"  {decision.reason}\n"))
    cells = [
        [say(f"cli.permissions.stage_{row['stage']}"), str(row["decision"] or "-"), str(row["rule"] or "")]
        for row in rows
    ]
    print(visible(table(say("cli.permissions.step_headings").split("|"), cells)))
    others = [f"{behavior}: {rule}" for behavior, rules in speaking.items() for rule in rules]
    if len(others) > 1:
        print(visible("\n" + say("cli.permissions.speaking", rules=", ".join(others))))


def _call(asked: str, given: str | None) -> tuple[str, dict[str, Any]]:
    """The tool and its input, from `Tool(subject)` or from a tool's name and JSON."""
    written = _CALL.fullmatch(asked.strip())
    if given is None:
        return (written[1].strip(), told_input(written[1].strip(), written[2])) if written else (asked.strip(), {})
    try:
        arguments = msgspec.json.decode(given, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(say("cli.permissions.input_invalid", reason=error)) from error
    if written or not asked.strip():
        raise UsageError(say("cli.permissions.usage_why"))
    return asked.strip(), arguments


def _policy(found: Effective[Settings], folder: str) -> RulesPolicy:
    rules, invalid = compile_rules(
        found.value.permissions, managed=found.managed.permissions if found.managed else None
    )
    for rule in invalid:
        warn(f"{found.origin(f'permissions.{rule.behavior}', rule.index)}: {rule}")
    database = os.path.realpath(database_path())
    grounds = Grounds(
        workspace=folder,
        readable=[os.path.realpath(os.environ.get("TMPDIR") or "/tmp")],  # noqa: S108 - looked at, never opened
        secret=[os.path.realpath(dotenv_path()), database, f"{database}-wal", f"{database}-shm"],
        unwritable=[os.path.realpath(home())],
        home=os.path.realpath(os.path.expanduser("~")),
    )
    return RulesPolicy(Posture.ASK, grounds, rules, resolve=os.path.realpath)


def _in_force(folder: str) -> Effective[Settings]:
    found = settings_in_force(folder, lambda trouble: warn(say("cli.config.from_files", trouble=trouble)))
    for warning in found.warnings:
        warn(warning)
    return found
