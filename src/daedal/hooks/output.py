"""What can a hook say on its standard output? Every arm of the stdout schema, checked; anything else is nonsense.

Keys that are not in the schema are ignored; null stands for a key that was left out.
"""

from collections.abc import Callable
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct, field

from daedal.protocol.hooks import HookEvent
from daedal.protocol.verdict import Verdict


class Arm(Struct, frozen=True, kw_only=True, rename="camel", tag_field="hookEventName"):
    pass


class ContextArm(Arm, frozen=True, kw_only=True):
    additional_context: str | None = None


class PreToolUseArm(ContextArm, frozen=True, kw_only=True, tag="PreToolUse"):
    permission_decision: Verdict | None = None
    permission_decision_reason: str | None = None
    updated_input: dict[str, Any] | None = None


class UserPromptSubmitArm(ContextArm, frozen=True, kw_only=True, tag="UserPromptSubmit"):
    pass


class SessionStartArm(ContextArm, frozen=True, kw_only=True, tag="SessionStart"):
    initial_user_message: str | None = None
    watch_paths: list[str] | None = None


class SetupArm(ContextArm, frozen=True, kw_only=True, tag="Setup"):
    pass


class SubagentStartArm(ContextArm, frozen=True, kw_only=True, tag="SubagentStart"):
    pass


class PostToolUseArm(ContextArm, frozen=True, kw_only=True, tag="PostToolUse"):
    updated_output: Any = field(default=None, name="updatedMCPToolOutput")


class PostToolUseFailureArm(ContextArm, frozen=True, kw_only=True, tag="PostToolUseFailure"):
    pass


class PermissionDeniedArm(Arm, frozen=True, kw_only=True, tag="PermissionDenied"):
    retry: bool | None = None


class NotificationArm(ContextArm, frozen=True, kw_only=True, tag="Notification"):
    pass


class Granted(Struct, frozen=True, kw_only=True, rename="camel", tag_field="behavior", tag="allow"):
    updated_input: dict[str, Any] | None = None
    updated_permissions: list[dict[str, Any]] | None = None
    """PermissionUpdate objects, which the permissions room checks."""


class Refused(Struct, frozen=True, kw_only=True, tag_field="behavior", tag="deny"):
    message: str | None = None
    interrupt: bool | None = None


class PermissionRequestArm(Arm, frozen=True, kw_only=True, tag="PermissionRequest"):
    decision: Granted | Refused


class ElicitationArm(Arm, frozen=True, kw_only=True, tag="Elicitation"):
    action: Literal["accept", "decline", "cancel"] | None = None
    content: dict[str, Any] | None = None


class ElicitationResultArm(ElicitationArm, frozen=True, kw_only=True, tag="ElicitationResult"):
    pass


class CwdChangedArm(Arm, frozen=True, kw_only=True, tag="CwdChanged"):
    watch_paths: list[str] | None = None


class FileChangedArm(Arm, frozen=True, kw_only=True, tag="FileChanged"):
    watch_paths: list[str] | None = None


class WorktreeCreateArm(Arm, frozen=True, kw_only=True, tag="WorktreeCreate"):
    worktree_path: str


AnyArm = (
    PreToolUseArm
    | UserPromptSubmitArm
    | SessionStartArm
    | SetupArm
    | SubagentStartArm
    | PostToolUseArm
    | PostToolUseFailureArm
    | PermissionDeniedArm
    | NotificationArm
    | PermissionRequestArm
    | ElicitationArm
    | ElicitationResultArm
    | CwdChangedArm
    | FileChangedArm
    | WorktreeCreateArm
)


class Output(Struct, frozen=True, kw_only=True, rename="camel"):
    """What a hook said, in order. Plain text is an output with nothing in it."""

    goes_on: bool | None = field(default=None, name="continue")
    suppress_output: bool | None = None
    stop_reason: str | None = None
    decision: Literal["approve", "block"] | None = None
    system_message: str | None = None
    reason: str | None = None
    arm: AnyArm | None = field(default=None, name="hookSpecificOutput")


class Nonsense(Struct, frozen=True):
    """Why an output counts for nothing."""

    why: str


def is_json(stdout: str) -> bool:
    """Anything else is plain text, and plain success."""
    return stdout.lstrip().startswith("{")


def read_output(event: HookEvent, stdout: str, clean: Callable[[Any], Any]) -> Output | Nonsense:
    """Checks it. `clean` takes known secrets out of plain data, before anything of it is used. Never fails."""
    try:
        said = msgspec.json.decode(stdout.strip())
        if not isinstance(said, dict):
            return Nonsense("its output is no JSON object")
        if cast("dict[str, Any]", said).get("async") is True:
            return Nonsense("it asked to go on in the background (async), which hooks cannot")
        output = msgspec.convert(clean(said), Output)
    except msgspec.ValidationError as error:
        return Nonsense(f"its output does not fit the schema: {error}")
    except (msgspec.DecodeError, ValueError, RecursionError) as error:  # ValueError: text that is no Unicode
        return Nonsense(f"its output is no JSON: {error}")
    if output.arm is not None and type(output.arm).__struct_config__.tag != event:
        return Nonsense(f"its output has a hookSpecificOutput that does not belong to {event}")
    return _with_sound_updates(output)


def _with_sound_updates(output: Output) -> Output | Nonsense:
    match output.arm:
        case PermissionRequestArm(decision=Granted(updated_permissions=[_, *_] as updates)):
            from daedal.permissions import read_update

            try:
                for update in updates:
                    read_update(update)
            except ValueError as error:
                return Nonsense(f"its output has a permission update that is none: {error}")
        case _:
            pass
    return output


def hides_output(stdout: str | None) -> bool:
    """Whether what a hook printed says that it is not to be shown."""
    if not stdout or not is_json(stdout):
        return False
    try:
        said = msgspec.json.decode(stdout)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return False
    return isinstance(said, dict) and cast("dict[str, Any]", said).get("suppressOutput") is True
