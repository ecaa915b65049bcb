"""Which rules are in force for a thread? Compiled once; every change makes a new set."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from daedal.permissions.settings import DefaultMode, PermissionSettings, WriterMode
from daedal.protocol.catalogue import say

if TYPE_CHECKING:
    from daedal.permissions.rules.rule import Rule

Behavior = Literal["allow", "ask", "deny"]
BEHAVIORS: tuple[Behavior, ...] = ("deny", "ask", "allow")
MANAGED = "managed"


class InvalidRule(Struct, frozen=True):
    """A rule that was left out, and why."""

    behavior: Behavior
    index: int
    """Its place in the list, by which the settings know who wrote it."""
    text: str
    why: str

    def __str__(self) -> str:
        return say("permissions.invalid", behavior=self.behavior, rule=self.text, why=self.why)


class RuleSet(Struct, frozen=True, kw_only=True):
    deny: "tuple[Rule, ...]" = ()
    ask: "tuple[Rule, ...]" = ()
    allow: "tuple[Rule, ...]" = ()
    default_mode: DefaultMode = "default"
    mode: WriterMode = "ask"
    directories: tuple[str, ...] = ()
    """`additionalDirectories` as they were written."""
    is_bypass_disabled: bool = False
    managed_only: bool = False

    def listed(self, behavior: Behavior) -> "tuple[Rule, ...]":
        match behavior:
            case "deny":
                return self.deny
            case "ask":
                return self.ask
            case "allow":
                return self.allow

    def in_force(self, behavior: Behavior) -> "tuple[Rule, ...]":
        rules = self.listed(behavior)
        return tuple(rule for rule in rules if rule.source == MANAGED) if self.managed_only else rules

    def with_listed(self, behavior: Behavior, rules: "Iterable[Rule]") -> "RuleSet":
        return replace(self, **{behavior: tuple(dict.fromkeys(rules))})

    def with_allowed(self, rule: str, *, source: str = "session") -> "RuleSet":
        """With one more allow rule, as a person grants it. Raises ValueError where it is none."""
        from daedal.permissions.rules.rule import parse_rule

        return self.with_listed("allow", (*self.allow, parse_rule(rule, source=source)))

    def absolute_directories(self, workspace: str, home: str) -> tuple[str, ...]:
        expanded = (home + path[1:] if path == "~" or path.startswith("~/") else path for path in self.directories)
        return tuple(os.path.normpath(os.path.join(workspace, path)) for path in expanded)

    def effective_mode(self) -> DefaultMode:
        return "default" if self.default_mode == "bypassPermissions" and self.is_bypass_disabled else self.default_mode


def compile_rules(
    settings: PermissionSettings, *, managed: PermissionSettings | None = None
) -> tuple[RuleSet, list[InvalidRule]]:
    """The set that the settings make. Invalid rules are left out and told.

    `managed` is what the administrator decided, by itself; `settings` may contain it too.
    """
    invalid: list[InvalidRule] = []
    rules = RuleSet(
        default_mode=settings.default_mode,
        mode=settings.mode,
        directories=tuple(settings.additional_directories),
        is_bypass_disabled=settings.disable_bypass_permissions_mode is not None,
        managed_only=settings.allow_managed_permission_rules_only,
    )
    for behavior in BEHAVIORS:
        governed = _parsed(managed, behavior, MANAGED, []) if managed else []
        known = {rule.text for rule in governed}
        own = [rule for rule in _parsed(settings, behavior, "settings", invalid) if rule.text not in known]
        rules = rules.with_listed(behavior, (*governed, *own))
    return (_governed(rules, managed) if managed else rules), invalid


def _governed(rules: RuleSet, managed: PermissionSettings) -> RuleSet:
    """What the managed settings say counts, whatever the others say."""
    defaults = PermissionSettings()
    return replace(
        rules,
        default_mode=rules.default_mode if managed.default_mode == defaults.default_mode else managed.default_mode,
        mode=rules.mode if managed.mode == defaults.mode else managed.mode,
        directories=(*rules.directories, *managed.additional_directories),
        is_bypass_disabled=rules.is_bypass_disabled or managed.disable_bypass_permissions_mode is not None,
        managed_only=rules.managed_only or managed.allow_managed_permission_rules_only,
    )


def _parsed(settings: PermissionSettings, behavior: Behavior, source: str, invalid: list[InvalidRule]) -> "list[Rule]":
    texts: Sequence[str] = getattr(settings, behavior)
    if not texts:
        return []
    from daedal.permissions.rules.rule import parse_rule

    rules: list[Rule] = []
    for index, text in enumerate(texts):
        try:
            rules.append(parse_rule(text, source=source))
        except ValueError as error:
            invalid.append(InvalidRule(behavior, index, text, str(error)))
    return rules
