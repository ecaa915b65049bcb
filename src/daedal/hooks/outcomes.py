"""How did one hook end, and what does that mean? Whether it denied, failed, said nonsense or could not run at all."""

from collections.abc import Callable
from enum import StrEnum, auto
from typing import Any

from msgspec import Struct

from daedal.hooks.output import Nonsense, Output, PermissionRequestArm, PreToolUseArm, Refused, is_json, read_output
from daedal.hooks.points import POINTS, TIMEOUT_BLOCKS, Objection
from daedal.protocol.hooks import HookEvent
from daedal.protocol.verdict import Verdict

OBJECTION_CODE = 2
TEXT_LENGTH_MAX = 10_000
TRUNCATED = "\n[SDLC_OUTPUT_TRUNCATED]\n"


class Ending(Struct, frozen=True, kw_only=True):
    """What is known of a hook's process, its streams decoded and capped."""

    exit_code: int | None = None
    """None where it timed out or never was."""
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    trouble: str = ""
    """Why it could not be started."""


class OutcomeKind(StrEnum):
    RAN = auto()
    DENIED = auto()
    FAILED = auto()
    TIMED_OUT = auto()
    INVALID = auto()
    BROKEN = auto()


class HookOutcome(Struct, frozen=True, kw_only=True):
    ordinal: int
    kind: OutcomeKind
    text: str = ""
    """What it objects to, or what went wrong."""
    blocks: bool = False
    """Exit code 2, or what counts as such."""
    output: Output = Output()
    plain: str = ""
    """What it printed, where that was no JSON."""

    @property
    def did_break(self) -> bool:
        """It did not do its work. Whether that holds anything up is another question."""
        return self.kind not in (OutcomeKind.RAN, OutcomeKind.DENIED)


def judge(
    event: HookEvent, ordinal: int, ending: Ending, clean: Callable[[Any], Any], *, required: bool = False
) -> HookOutcome:
    """`clean` takes known secrets out of plain data. Whatever the hook did, there is an outcome."""
    kind, text, output = _classify(event, ending, clean)
    objects = kind is OutcomeKind.DENIED and ending.exit_code == OBJECTION_CODE
    is_late = kind is OutcomeKind.TIMED_OUT and event in TIMEOUT_BLOCKS
    outcome = HookOutcome(ordinal=ordinal, kind=kind, text=bounded(text), output=output, blocks=objects or is_late)
    if outcome.did_break and not is_late and required and event is HookEvent.PRE_TOOL_USE:
        return HookOutcome(
            ordinal=ordinal,
            kind=kind,
            text=f"a hook that must approve this call did not do its work: {outcome.text}",
            blocks=True,
        )
    if kind is OutcomeKind.RAN and not is_json(ending.stdout):
        return HookOutcome(ordinal=ordinal, kind=kind, plain=bounded(clean(ending.stdout.strip())))
    return outcome


def _classify(event: HookEvent, ending: Ending, clean: Callable[[Any], Any]) -> tuple[OutcomeKind, str, Output]:
    stderr: str = clean(ending.stderr.strip())
    if ending.trouble:
        return OutcomeKind.BROKEN, ending.trouble, Output()
    if ending.timed_out:
        return OutcomeKind.TIMED_OUT, stderr or "the hook did not answer in time", Output()
    if ending.exit_code == OBJECTION_CODE and POINTS[event].objection is not Objection.IS_NOTED:
        return OutcomeKind.DENIED, stderr, Output()
    if ending.exit_code != 0:
        return OutcomeKind.FAILED, _failure(ending.exit_code, stderr), Output()
    if not is_json(ending.stdout):
        return OutcomeKind.RAN, "", Output()
    output = read_output(event, ending.stdout, clean)
    if isinstance(output, Nonsense):
        return OutcomeKind.INVALID, output.why, Output()
    return (OutcomeKind.DENIED if denies(event, output) else OutcomeKind.RAN), "", output


def _failure(exit_code: int | None, stderr: str) -> str:
    how = "could not be started" if exit_code is None else f"exited with {exit_code}"
    return f"the hook {how}: {stderr}" if stderr else f"the hook {how}"


def denies(event: HookEvent, output: Output) -> bool:
    """Whether it says no in words."""
    if output.decision == "block":
        return POINTS[event].objection is not Objection.IS_NOTED
    match output.arm:
        case PreToolUseArm(permission_decision=Verdict.DENY) | PermissionRequestArm(decision=Refused()):
            return True
        case _:
            return False


def bounded(text: str) -> str:
    """As much of it as a model or a person can use."""
    return text if len(text) <= TEXT_LENGTH_MAX else text[:TEXT_LENGTH_MAX] + TRUNCATED
