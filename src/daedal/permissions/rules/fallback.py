"""What happens when no rule speaks? The table of default modes, then the mode for calls that change something."""

from daedal.permissions.planning import HELD
from daedal.permissions.rules.call import Call
from daedal.permissions.rules.names import WEB, is_mcp
from daedal.permissions.rules.ruleset import RuleSet
from daedal.protocol.verdict import Decision, Verdict

EDITED_SILENTLY = frozenset(("Read", "Write", "Edit", "MultiEdit"))


def fall_back(call: Call, rules: RuleSet) -> Decision:
    mode = rules.effective_mode()
    rule = f"defaultMode:{mode}"
    match mode:
        case "bypassPermissions":
            return Decision(verdict=Verdict.ALLOW, rule=rule, reason="this mode asks for nothing")
        case "dontAsk":
            reason = (
                "no rule allows it, and this mode refuses instead of asking: do it another way, or go on without it"
            )
            return Decision(verdict=Verdict.DENY, rule=rule, reason=reason)
        case "plan" if call.tool in HELD:
            reason = "this mode only plans: read and search, then present the plan with ExitPlanMode"
            return Decision(verdict=Verdict.DENY, rule=rule, reason=reason)
        case "acceptEdits" if call.tool in EDITED_SILENTLY and _is_at_home(call):
            return Decision(verdict=Verdict.ALLOW, rule=rule, reason="this mode accepts edits in the workspace")
        case "default" | "plan" | "acceptEdits":
            return _ask(call, rules)


def _is_at_home(call: Call) -> bool:
    return bool(call.resolved) and not call.has_odd_path and all(map(call.place.is_home, call.resolved))


def _ask(call: Call, rules: RuleSet) -> Decision:
    """The writer mode answers for calls that change something; a call that only reads elsewhere is asked for."""
    if call.request.read_only:
        return _question(_what_it_reads(call))
    match rules.mode:
        case "allow":
            return Decision(
                verdict=Verdict.ALLOW, rule="mode:allow", reason="permissions.mode allows what no rule names"
            )
        case "deny":
            reason = "no rule allows it, and permissions.mode refuses the rest: do it another way, or go on without it"
            return Decision(verdict=Verdict.DENY, rule="mode:deny", reason=reason)
        case "ask":
            return _question("it changes files or runs commands")


def _what_it_reads(call: Call) -> str:
    if call.tool in WEB:
        return "it reaches out to the web"
    if is_mcp(call.request.tool):
        return "it runs in an MCP server, outside the workspace"
    if call.has_odd_path:
        return "what stands where a path should is none"
    return "it reads outside the workspace"


def _question(reason: str) -> Decision:
    return Decision(verdict=Verdict.ASK, rule="fallback", reason=reason, is_fallback=True)
