"""Does one rule speak about one call? For hooks, which run only `if` a rule matches."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from daedal.permissions.rules.call import Call
from daedal.permissions.rules.matching import forbids, may_forbid
from daedal.permissions.rules.place import Place
from daedal.permissions.rules.rule import Rule, parse_rule
from daedal.protocol.verdict import ToolRequest

parsed = lru_cache(maxsize=256)(parse_rule)


def rule_matches(rule: str, tool: str, input: Mapping[str, Any], cwd: str, home: str) -> bool:  # noqa: A002 - the wire's word
    """Read widely, as a deny is: a hook that guards something should rather run. An invalid rule matches nothing."""
    try:
        condition: Rule = parsed(rule)
    except ValueError:
        return False
    request = ToolRequest(
        tool_use_id="", tool=tool, input=dict(input), read_only=True, paths=[], cwd=cwd, principal="person:hook"
    )
    call = Call(request, Place(workspace=cwd, home=home))
    return forbids(condition, call) or may_forbid(condition, call)
