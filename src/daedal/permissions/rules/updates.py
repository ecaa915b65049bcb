"""What does a PermissionUpdate change? What a hook or a client may say about rules, modes and folders.

Managed rules are out of its reach. Writing it to a settings file is not done here: `destination` says whose rules it
is about, and a change for the session counts until the thread ends.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from daedal.permissions.rules.rule import Rule, parse_rule
from daedal.permissions.rules.ruleset import MANAGED, Behavior, RuleSet
from daedal.permissions.settings import DefaultMode

Destination = Literal["userSettings", "projectSettings", "localSettings", "session", "cliArg"]
SOURCES: dict[Destination, str] = {
    "userSettings": "user",
    "projectSettings": "project",
    "localSettings": "project",
    "session": "session",
    "cliArg": "flag",
}


class RuleValue(Struct, frozen=True, rename="camel"):
    tool_name: Annotated[str, Meta(min_length=1)]
    rule_content: str | None = None

    @property
    def text(self) -> str:
        return self.tool_name if self.rule_content is None else f"{self.tool_name}({self.rule_content})"


class AddRules(Struct, frozen=True, tag="addRules"):
    rules: list[RuleValue]
    behavior: Behavior
    destination: Destination


class ReplaceRules(Struct, frozen=True, tag="replaceRules"):
    rules: list[RuleValue]
    behavior: Behavior
    destination: Destination


class RemoveRules(Struct, frozen=True, tag="removeRules"):
    rules: list[RuleValue]
    behavior: Behavior
    destination: Destination


class SetMode(Struct, frozen=True, tag="setMode"):
    mode: DefaultMode
    destination: Destination


class AddDirectories(Struct, frozen=True, tag="addDirectories"):
    directories: list[str]
    destination: Destination


class RemoveDirectories(Struct, frozen=True, tag="removeDirectories"):
    directories: list[str]
    destination: Destination


PermissionUpdate = AddRules | ReplaceRules | RemoveRules | SetMode | AddDirectories | RemoveDirectories


def read_update(given: Mapping[str, Any]) -> PermissionUpdate:
    """Raises ValueError where it is no PermissionUpdate, or one of its rules is none."""
    try:
        update = msgspec.convert(given, PermissionUpdate)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    if isinstance(update, AddRules | ReplaceRules | RemoveRules):
        for rule in update.rules:
            parse_rule(rule.text)
    return update


def with_update(rules: RuleSet, update: PermissionUpdate | Mapping[str, Any]) -> RuleSet:
    """The set after the update. Raises ValueError where it is none."""
    change = read_update(update) if isinstance(update, Mapping) else update
    match change:
        case SetMode(mode=mode):
            return msgspec.structs.replace(rules, default_mode=mode)
        case AddDirectories(directories=added):
            return msgspec.structs.replace(rules, directories=tuple(dict.fromkeys((*rules.directories, *added))))
        case RemoveDirectories(directories=removed):
            kept = tuple(folder for folder in rules.directories if folder not in removed)
            return msgspec.structs.replace(rules, directories=kept)
        case AddRules() | ReplaceRules() | RemoveRules():
            return rules.with_listed(change.behavior, _changed(rules.listed(change.behavior), change))


def _changed(listed: tuple[Rule, ...], change: AddRules | ReplaceRules | RemoveRules) -> list[Rule]:
    source = SOURCES[change.destination]
    given = [parse_rule(rule.text, source=source) for rule in change.rules]
    match change:
        case AddRules():
            return [*listed, *given]
        case ReplaceRules():
            return [*(rule for rule in listed if rule.source != source), *given]
        case RemoveRules():
            texts = {rule.text for rule in given}
            return [rule for rule in listed if rule.source == MANAGED or rule.text not in texts]
