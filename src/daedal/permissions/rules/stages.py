"""What does each stage of the policy say about a call? In their order; the first that speaks decides.

The order is the reasoning:
1. closed: Daedal's own keys, ledger and home. Nothing opens them.
2. phase: before a plan is approved nothing is changed, whatever rules say.
3. deny: a deny rule holds in every mode and posture. Where only the shell could know whether it speaks, a person does.
4. person: what steers the agent, leaving the sandbox, questions and plans. Before the ask rules, so that no posture
   that answers those can answer this.
5. ask: an ask rule narrows what an allow rule or a mode would let pass.
6. allow: an allow rule.
7. silent: built-in tools that only read, where the thread is at home, or that change nothing but the thread.
8. fallback: the default mode, and then the mode for calls that change something.
What then still asks may be answered by the posture.
"""

from collections.abc import Collection, Iterator

from msgspec import Struct

from daedal.permissions.baseline import Grounds, closed, steering
from daedal.permissions.containment import inside_any
from daedal.permissions.planning import Stage, planning_gate
from daedal.permissions.rules.call import Call
from daedal.permissions.rules.fallback import fall_back
from daedal.permissions.rules.matching import forbids, may_forbid, names_paths, permitting
from daedal.permissions.rules.names import EDITORS, INWARD, WEB, is_mcp
from daedal.permissions.rules.place import Place
from daedal.permissions.rules.rule import Kind, Rule
from daedal.permissions.rules.ruleset import Behavior, RuleSet
from daedal.protocol.verdict import Decision, ToolRequest, Verdict

PERSONAL = {
    "AskUserQuestion": "it is a question to the user",
    "ExitPlanMode": "a plan is approved by the user alone",
    "Remember": "what is remembered steers the agent",
    "Forget": "what is remembered steers the agent",
}
"""Tools whose call is itself a question to a person."""


class Step(Struct, frozen=True):
    """One stage, and what it says about a call; None where it is silent."""

    stage: str
    decision: Decision | None


class Stages:
    """The stages for one call."""

    def __init__(
        self,
        request: ToolRequest,
        *,
        grounds: Grounds,
        place: Place,
        rules: RuleSet,
        stage: Stage,
        trusted_read_only: Collection[str],
    ) -> None:
        self._call = Call(request, place)
        self._request = request
        self._grounds = grounds
        self._rules = rules
        self._stage = stage
        self._trusted_read_only = trusted_read_only

    def steps(self) -> Iterator[Step]:
        """Every stage with what it would say; the last one always speaks."""
        yield Step("closed", self._closed())
        yield Step("phase", self._phase())
        yield Step("deny", self._denied())
        yield Step("person", self._personal())
        yield Step("ask", self._asked())
        yield Step("allow", self._allowed())
        yield Step("silent", self._silent())
        yield Step("fallback", fall_back(self._call, self._rules))

    def speaking(self) -> dict[Behavior, list[Rule]]:
        """Every rule in force that would speak about the call by itself."""
        call = self._call
        return {
            "deny": [rule for rule in self._rules.in_force("deny") if forbids(rule, call) or may_forbid(rule, call)],
            "ask": [rule for rule in self._rules.in_force("ask") if forbids(rule, call) or may_forbid(rule, call)],
            "allow": [rule for rule in self._rules.in_force("allow") if permitting([rule], call)],
        }

    def _closed(self) -> Decision | None:
        call = self._call
        if call.tool != "Bash":
            paths = self._request.paths
            return closed(self._grounds, opened=paths, written=[] if self._request.read_only else paths)
        from daedal.permissions.rules.writing import named, written

        opened = named(call.script, call.cwd, call.place)
        return closed(self._grounds, opened=opened, written=written(call.script, call.cwd, call.place))

    def _phase(self) -> Decision | None:
        if not self._stage.holds:
            return None
        tool = self._request.tool
        is_trusted = is_mcp(tool) and (
            tool in self._trusted_read_only or permitting(self._rules.in_force("allow"), self._call) is not None
        )
        return planning_gate(self._call.tool, self._stage, is_trusted=is_trusted)

    def _denied(self) -> Decision | None:
        call, rules = self._call, self._rules.in_force("deny")
        rule = next((rule for rule in rules if forbids(rule, call) or _closes_to_edits(rule, call)), None)
        if rule is not None:
            reason = "a deny rule of the user refuses it in every mode: do it another way, or go on without it"
            return _by_rule(Verdict.DENY, "deny", rule, reason)
        rule = next((rule for rule in rules if may_forbid(rule, call)), None)
        if rule is None:
            return None
        reason = "only the shell could know if a deny rule speaks: write the command out, without variables or tricks"
        return _by_rule(Verdict.ASK, "deny", rule, reason, is_firm=True)

    def _personal(self) -> Decision | None:
        call = self._call
        if call.tool in PERSONAL:
            return _personal(f"person:{call.tool}", PERSONAL[call.tool])
        if call.tool != "Bash":
            # As written too: a link called `.claude` is read as `.claude`, wherever it leads.
            return None if self._request.read_only else steering([*self._request.paths, *call.written])
        if self._request.input.get("dangerouslyDisableSandbox"):
            reason = "leaving the sandbox is for a person to allow: run it without dangerouslyDisableSandbox"
            return _personal("sandbox:escape", reason)
        from daedal.permissions.rules.writing import written

        return steering(written(call.script, call.cwd, call.place))

    def _asked(self) -> Decision | None:
        call, rules = self._call, self._rules.in_force("ask")
        rule = next((rule for rule in rules if forbids(rule, call) or may_forbid(rule, call)), None)
        return rule and _by_rule(Verdict.ASK, "ask", rule, "a rule of the user wants to be asked")

    def _allowed(self) -> Decision | None:
        rule = permitting(self._rules.in_force("allow"), self._call)
        return rule and _by_rule(Verdict.ALLOW, "allow", rule, "a rule of the user allows it")

    def _silent(self) -> Decision | None:
        request, place = self._request, self._call.place
        if self._call.tool in INWARD:
            # Whoever lists some agents or skills wants to be asked about the others.
            if any(self._call.tool in rule.tools for rule in self._rules.in_force("allow")):
                return None
            return Decision(verdict=Verdict.ALLOW, rule="baseline:thread", reason="it changes nothing but the thread")
        if is_mcp(request.tool):
            is_silent = request.tool in self._trusted_read_only
        else:
            is_silent = request.read_only and self._call.tool not in WEB
        homes = [place.workspace, *place.directories, *self._grounds.readable]
        if is_silent and not self._call.has_odd_path and all(inside_any(path, homes) for path in request.paths):
            return Decision(verdict=Verdict.ALLOW, rule="baseline:read", reason="reading inside the workspace")
        return None


def _by_rule(verdict: Verdict, behavior: Behavior, rule: Rule, reason: str, *, is_firm: bool = False) -> Decision:
    return Decision(verdict=verdict, rule=f"{behavior}: {rule.text}", reason=reason, is_firm=is_firm)


def _personal(rule: str, reason: str) -> Decision:
    return Decision(verdict=Verdict.ASK, rule=rule, reason=reason, is_firm=True)


def _closes_to_edits(rule: Rule, call: Call) -> bool:
    """What may not be read may not be edited either: an edit shows what it changes."""
    if rule.kind is not Kind.PATH or "Read" not in rule.tools or call.tool not in EDITORS:
        return False
    return names_paths(rule, call, widely=True)
