"""What does a chain of hooks come to? A pure fold over the outcomes in ordinal order, whenever each was known.

deny outweighs ask, ask outweighs allow; a denied call ends its chain; of values that only one hook can set (the input,
the first message) the last one counts; texts and paths add up.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from daedal.hooks.answers import elicitation_answer, request_answer
from daedal.hooks.outcomes import HookOutcome, OutcomeKind, bounded
from daedal.hooks.output import (
    ContextArm,
    CwdChangedArm,
    FileChangedArm,
    Granted,
    Output,
    PermissionDeniedArm,
    PermissionRequestArm,
    PostToolUseArm,
    PreToolUseArm,
    SessionStartArm,
    WorktreeCreateArm,
)
from daedal.hooks.points import POINTS, SKIPS_AFTER_BLOCK, Objection
from daedal.protocol.catalogue import say
from daedal.protocol.hooks import HookAnswer, HookEvent
from daedal.protocol.verdict import Verdict

STRENGTH = list(Verdict)
READS_PLAIN_TEXT = (HookEvent.SESSION_START, HookEvent.USER_PROMPT_SUBMIT)
"""Where what a hook prints is context for the model, as people expect who write `echo` in a hook."""


def merge(event: HookEvent, outcomes: Iterable[HookOutcome]) -> HookAnswer:
    """Outcomes behind the one that ended the chain count for nothing, and so does their order of arrival."""
    chain = list(asked(event, sorted(outcomes, key=lambda outcome: outcome.ordinal)))
    permission = _permission(event, chain)
    objections = list(_objections(event, chain))
    return HookAnswer(
        permission=permission,
        is_blocked=bool(objections) and POINTS[event].objection is Objection.BLOCKS,
        message="\n".join(objections) if objections else _reasons(chain, permission),
        updated_input=_last(updated_input(outcome.output) for outcome in chain),
        additional_context=[text for outcome in chain for text in _context(event, outcome)],
        initial_user_message=_last(_initial_message(outcome.output) for outcome in chain),
        watch_paths=list(dict.fromkeys(path for outcome in chain for path in _watch_paths(outcome.output))),
        retry=any(isinstance(o.output.arm, PermissionDeniedArm) and o.output.arm.retry for o in chain),
        stop=next((bounded(o.output.stop_reason or "") for o in chain if o.output.goes_on is False), None),
        system_messages=[bounded(o.output.system_message) for o in chain if o.output.system_message],
        updated_output=_last(_updated_output(outcome.output) for outcome in chain),
        request=request_answer(event, chain, objections),
        elicitation=elicitation_answer(event, chain, objections),
        worktree_path=_last(_worktree_path(outcome.output) for outcome in chain),
        broken=[_complaint(event, outcome) for outcome in chain if outcome.did_break],
    )


def asked(event: HookEvent, ordered: Sequence[HookOutcome]) -> Iterator[HookOutcome]:
    """Those of a chain that are asked at all."""
    for outcome in ordered:
        yield outcome
        if ends_chain(event, outcome):
            return


def ends_chain(event: HookEvent, outcome: HookOutcome) -> bool:
    """Whether later hooks are skipped."""
    return event in SKIPS_AFTER_BLOCK and (outcome.blocks or outcome.kind is OutcomeKind.DENIED)


def updated_input(output: Output) -> dict[str, Any] | None:
    """What the call's input is from now on, for later hooks too."""
    match output.arm:
        case PreToolUseArm(updated_input=changed) | PermissionRequestArm(decision=Granted(updated_input=changed)):
            return changed
        case _:
            return None


def _permission(event: HookEvent, chain: Sequence[HookOutcome]) -> Verdict | None:
    if event is not HookEvent.PRE_TOOL_USE:
        return None
    said = [verdict for outcome in chain for verdict in _verdicts(outcome)]
    return max(said, key=STRENGTH.index, default=None)


def _verdicts(outcome: HookOutcome) -> Iterator[Verdict]:
    output = outcome.output
    if outcome.blocks or output.decision == "block":
        yield Verdict.DENY
    if output.decision == "approve":
        yield Verdict.ALLOW
    if isinstance(output.arm, PreToolUseArm) and output.arm.permission_decision is not None:
        yield output.arm.permission_decision


def _objections(event: HookEvent, chain: Sequence[HookOutcome]) -> Iterator[str]:
    """One per hook that said no, for the model (or, where a prompt was blocked, the person)."""
    for outcome in chain:
        if outcome.blocks:
            yield f"[{outcome.ordinal}] {outcome.text}".rstrip()
        elif outcome.kind is OutcomeKind.DENIED:
            # A denied call says the hook's reason or nothing; elsewhere an objection must not look like none.
            yield _reason(outcome.output) or ("" if event is HookEvent.PRE_TOOL_USE else f"[{outcome.ordinal}]")


def _reason(output: Output) -> str:
    match output.arm:
        case PreToolUseArm(permission_decision_reason=str(reason)) if reason:
            return bounded(reason)
        case PermissionRequestArm(decision=decision) if not isinstance(decision, Granted):
            return bounded(decision.message or output.reason or "")
        case _:
            return bounded(output.reason or "")


def _reasons(chain: Sequence[HookOutcome], permission: Verdict | None) -> str:
    """Why the hooks want it asked or allowed."""
    speakers = [outcome for outcome in chain if permission is not None and permission in _verdicts(outcome)]
    return "\n".join(filter(None, (_reason(outcome.output) for outcome in speakers)))


def _context(event: HookEvent, outcome: HookOutcome) -> Iterator[str]:
    arm = outcome.output.arm
    if isinstance(arm, ContextArm) and arm.additional_context:
        yield bounded(arm.additional_context)
    if outcome.plain and event in READS_PLAIN_TEXT:
        yield outcome.plain


def _initial_message(output: Output) -> str | None:
    return output.arm.initial_user_message if isinstance(output.arm, SessionStartArm) else None


def _watch_paths(output: Output) -> list[str]:
    match output.arm:
        case SessionStartArm() | CwdChangedArm() | FileChangedArm() as arm:
            return arm.watch_paths or []
        case _:
            return []


def _updated_output(output: Output) -> Any:
    return output.arm.updated_output if isinstance(output.arm, PostToolUseArm) else None


def _worktree_path(output: Output) -> str | None:
    return output.arm.worktree_path if isinstance(output.arm, WorktreeCreateArm) else None


def _last(values: Iterable[Any]) -> Any:
    found: Any | UnsetType = UNSET
    for value in values:
        if value is not None:
            found = value
    return None if found is UNSET else found


def _complaint(event: HookEvent, outcome: HookOutcome) -> str:
    return say(f"hooks.{outcome.kind}", event=event, ordinal=outcome.ordinal, text=outcome.text)
