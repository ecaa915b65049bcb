"""May this call proceed, by which rule? Values in, verdict out: no I/O, no waiting, no side effect.

Only what every start needs is loaded with the room; the rest of its names load when they are first used.
"""

from typing import TYPE_CHECKING

from daedal.permissions.baseline import Grounds
from daedal.permissions.containment import inside, inside_any
from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.permissions.combining import combined
    from daedal.permissions.guard.agent_config import AgentConfig, agent_config
    from daedal.permissions.guard.cases import bash_case
    from daedal.permissions.guard.guard import Guard
    from daedal.permissions.planning import Stage
    from daedal.permissions.rules.cases import tool_case
    from daedal.permissions.rules.conditions import rule_matches
    from daedal.permissions.rules.policy import RulesPolicy
    from daedal.permissions.rules.rule import Rule, parse_rule
    from daedal.permissions.rules.ruleset import RuleSet, compile_rules
    from daedal.permissions.rules.suggesting import Suggestions, suggested
    from daedal.permissions.rules.telling import told_input, told_request
    from daedal.permissions.rules.updates import AddRules, read_update, with_update
    from daedal.permissions.settings import PermissionSettings
    from daedal.permissions.shell import Command, parse

__all__ = [
    "AddRules",
    "AgentConfig",
    "Command",
    "Grounds",
    "Guard",
    "PermissionSettings",
    "Rule",
    "RuleSet",
    "RulesPolicy",
    "Stage",
    "Suggestions",
    "agent_config",
    "bash_case",
    "combined",
    "compile_rules",
    "inside",
    "inside_any",
    "parse",
    "parse_rule",
    "read_update",
    "rule_matches",
    "suggested",
    "told_input",
    "told_request",
    "tool_case",
    "with_update",
]

_FILES = {
    "AddRules": "rules.updates",
    "AgentConfig": "guard.agent_config",
    "Command": "shell",
    "Guard": "guard.guard",
    "agent_config": "guard.agent_config",
    "PermissionSettings": "settings",
    "Rule": "rules.rule",
    "RuleSet": "rules.ruleset",
    "RulesPolicy": "rules.policy",
    "Stage": "planning",
    "Suggestions": "rules.suggesting",
    "bash_case": "guard.cases",
    "combined": "combining",
    "compile_rules": "rules.ruleset",
    "parse": "shell",
    "parse_rule": "rules.rule",
    "read_update": "rules.updates",
    "rule_matches": "rules.conditions",
    "suggested": "rules.suggesting",
    "told_input": "rules.telling",
    "told_request": "rules.telling",
    "tool_case": "rules.cases",
    "with_update": "rules.updates",
}

__getattr__ = loaded_when_used(__name__, _FILES)
