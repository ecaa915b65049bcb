"""Which rules are there, what would they say, and how does one change them? For `daedal permissions` and every face."""

import os
import re
from typing import Any, cast

import msgspec

from daedal.app.grounds import grounds_in
from daedal.app.settings import Settings
from daedal.config import (
    Effective,
    add_to_list,
    database_path,
    remove_from_list,
    secret_paths,
    settings_files,
)
from daedal.ledger import ledger_files
from daedal.permissions import (
    RulesPolicy,
    compile_rules,
    parse_rule,
    told_input,
    told_request,
)
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.housekeeping import RuleStep, RuleWhyResponse, RuleWriteResponse
from daedal.protocol.inventory import ListedRule
from daedal.protocol.verdict import Posture

BEHAVIORS = ("deny", "ask", "allow")
_CALL = re.compile(r"([^()]+)\((.*)\)", re.DOTALL)


def listed_rules(found: Effective[Settings]) -> list[ListedRule]:
    """Those of the settings, in the order in which they are asked, each with who wrote it."""
    _, invalid = compile_rules(found.value.permissions, managed=found.managed.permissions if found.managed else None)
    wrong = {(rule.behavior, rule.index): rule.why for rule in invalid}
    return [
        ListedRule(
            list=behavior,
            rule=rule,
            origin=found.origin(f"permissions.{behavior}", index),
            invalid=wrong.get((cast("Any", behavior), index)),
        )
        for behavior in BEHAVIORS
        for index, rule in enumerate(cast("list[str]", getattr(found.value.permissions, behavior)))
    ]


def write_rule(folder: str, behavior: str, rule: str, *, is_project: bool, remove: bool) -> RuleWriteResponse:
    """To the user's settings or the project's. Raises UsageError or ConfigurationError."""
    if behavior not in BEHAVIORS:
        raise UsageError(say("app.rules.no_list", name=behavior))
    file = settings_files(folder).to_change(folder, is_project=is_project)
    key = f"permissions.{behavior}"
    if remove:
        # Also what is no rule can be taken out again.
        changed = remove_from_list(file, key, rule, Settings)
    else:
        rule = checked_rule(rule)
        changed = add_to_list(file, key, rule, Settings)
    return RuleWriteResponse(rule=rule, changed=changed, file=file)


def checked_rule(rule: str) -> str:
    """As it is written down. Raises UsageError."""
    try:
        return parse_rule(rule).text
    except ValueError as error:
        raise UsageError(say("app.rules.invalid", rule=rule, why=error)) from error


def explained(policy: RulesPolicy, asked: str, given: str | None, folder: str) -> RuleWhyResponse:
    """What every stage would say to the call; the first that speaks decides. Raises UsageError."""
    tool, arguments = _call(asked, given)
    request = told_request(tool, arguments, folder, policy.place)
    decision = policy.decide(request)
    steps = [
        RuleStep(stage=step.stage)
        if step.decision is None
        else RuleStep(
            stage=step.stage,
            decision=step.decision.verdict,
            rule=step.decision.rule,
            reason=step.decision.reason,
        )
        for step in policy.steps(request)
    ]
    speaking = policy.stages(request).speaking()
    return RuleWhyResponse(
        decision=decision.verdict,
        rule=decision.rule,
        reason=decision.reason,
        steps=steps,
        rules={behavior: [rule.text for rule in rules] for behavior, rules in speaking.items()},
    )


def _call(asked: str, given: str | None) -> tuple[str, dict[str, Any]]:
    """The tool and its input, from `Tool(subject)` or from a tool's name and JSON."""
    written = _CALL.fullmatch(asked.strip())
    if given is None:
        return (written[1].strip(), told_input(written[1].strip(), written[2])) if written else (asked.strip(), {})
    try:
        arguments = msgspec.json.decode(given, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(say("app.rules.input_invalid", reason=error)) from error
    if written or not asked.strip():
        raise UsageError(say("app.rules.usage_why"))
    return asked.strip(), arguments


def folder_policy(found: Effective[Settings], folder: str) -> RulesPolicy:
    """What the settings alone would say in a folder where no thread has begun."""
    rules, _ = compile_rules(found.value.permissions, managed=found.managed.permissions if found.managed else None)
    secret = [*secret_paths(), *ledger_files(os.path.realpath(database_path()))]
    return RulesPolicy(Posture.ASK, grounds_in(folder, secret), rules, resolve=os.path.realpath)
