"""What would hooks decide that ended like this? Merges given outcomes; nothing is run."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import fields

from daedal.hooks.merging import asked, merge
from daedal.hooks.outcomes import Ending, HookOutcome, judge
from daedal.protocol.hooks import HookAnswer, HookEvent
from daedal.protocol.verdict import Decision, Posture, Verdict

SOMEWHERE = {"cwd": "/project", "home": "/home/user"}
"""Where a case happens that does not say."""
FALLBACK = "fallback"
"""What the permissions room calls its last line, where no rule spoke."""


class GivenEnding(Struct, frozen=True, kw_only=True):
    """How one hook of a case ended."""

    ordinal: int | None = None
    exit: int | None = None
    stdout: str | None = None
    stderr: str | None = None
    timeout: bool | None = None
    required: bool = False


def hooks_case(case: dict[str, Any]) -> dict[str, Any]:
    """The answer to one case. Raises ValueError where it is none."""
    event = HookEvent(case.get("event"))
    given = convert(case.get("hooks", []), list[GivenEnding])
    outcomes = [_outcome(event, index, ending) for index, ending in enumerate(given)]
    ordered = sorted(outcomes, key=lambda outcome: outcome.ordinal)
    reached = {id(outcome) for outcome in asked(event, ordered)}
    answer = merge(event, outcomes)
    decided = {
        "decision": decision(event, answer),
        "reason": answer.message,
        "rule": rule(event, ordered),
        "skipped": [id(outcome) not in reached for outcome in outcomes],
        **_further(answer),
    }
    if event is HookEvent.PRE_TOOL_USE and ("rules" in case or "mode" in case):
        decided["final"] = _final(case, answer)
    return decided


def _outcome(event: HookEvent, index: int, given: GivenEnding) -> HookOutcome:
    ordinal = index if given.ordinal is None else given.ordinal
    never_was = given.exit is None and not given.timeout
    ending = Ending(
        exit_code=None if given.timeout else given.exit,
        stdout=given.stdout or "",
        stderr=given.stderr or "",
        timed_out=bool(given.timeout),
        trouble=(given.stderr or "it could not be started") if never_was else "",
    )
    return judge(event, ordinal, ending, lambda value: value, required=given.required)


def decision(event: HookEvent, answer: HookAnswer) -> str:
    match event:
        case HookEvent.PRE_TOOL_USE:
            return answer.permission or "unset"
        case HookEvent.USER_PROMPT_SUBMIT:
            return "block" if answer.is_blocked else "unset"
        case HookEvent.POST_TOOL_USE | HookEvent.POST_TOOL_USE_FAILURE:
            return "feedback" if answer.message else "unset"
        case _:
            return "unset"


def rule(event: HookEvent, ordered: list[HookOutcome]) -> str:
    """The hook that decided, by its ordinal; empty where none did."""
    whole = decision(event, merge(event, ordered))
    if whole == "unset":
        return ""
    speaker = next((o.ordinal for o in asked(event, ordered) if decision(event, merge(event, [o])) == whole), None)
    return "" if speaker is None else f"{event} hook {speaker}"


NOTHING = HookAnswer()
TOLD = {field.name: field.name for field in fields(HookAnswer)} | {"updated_input": "updatedInput"}
BESIDE = [name for name in TOLD if name not in ("permission", "message", "runs")]


def _further(answer: HookAnswer) -> dict[str, Any]:
    """What else the chain says, where it says anything."""
    return {TOLD[name]: value for name in BESIDE if (value := getattr(answer, name)) != getattr(NOTHING, name)}


def _final(case: Mapping[str, Any], answer: HookAnswer) -> str:
    from daedal.permissions import combined, tool_case

    given = answer.updated_input if answer.updated_input is not None else case.get("input", {})
    judged = tool_case({**SOMEWHERE, **case, "input": given})
    rules = Decision(
        verdict=Verdict(judged["decision"]),
        rule=judged["rule"],
        reason=judged["reason"],
        is_fallback=judged["rule"] == FALLBACK,
    )
    return combined(answer, rules, Posture.ASK).verdict
