"""Are the hook events declared as the specification lists them? The union's order, each event's fields, their order.

python -m tests.checks.hook_order      prints what differs; its exit code says whether anything does
"""

import inspect
import sys
from collections.abc import Iterator

from msgspec.structs import FieldInfo, fields

from daedal.hooks.points import POINTS, Common, Stdin
from daedal.protocol.hooks import HookEvent

BASE = "hook_event_name session_id conversation_id runtime_db_path cwd permission_mode? agent_id? agent_type?"

UNION = """
PreToolUse: tool_name tool_input tool_use_id
PostToolUse: tool_name tool_input tool_response tool_use_id
PostToolUseFailure: tool_name tool_input tool_use_id error is_interrupt?
PermissionDenied: tool_name tool_input tool_use_id reason
Notification: message title? notification_type
UserPromptSubmit: prompt
SessionStart: source agent_type? model?
SessionEnd: reason
Stop: stop_hook_active last_assistant_message?
StopFailure: error error_details? last_assistant_message?
SubagentStart: agent_id agent_type
SubagentStop: stop_hook_active agent_id agent_transcript_path agent_type last_assistant_message?
PreCompact: trigger custom_instructions
PostCompact: trigger compact_summary
PermissionRequest: tool_name tool_input permission_suggestions?
Setup: trigger
TeammateIdle: teammate_name team_name
TaskCreated: task_id task_subject task_description? teammate_name? team_name?
TaskCompleted: task_id task_subject task_description? teammate_name? team_name?
Elicitation: mcp_server_name message mode? url? elicitation_id? requested_schema?
ElicitationResult: mcp_server_name elicitation_id? mode? action content?
ConfigChange: source file_path?
InstructionsLoaded: file_path memory_type load_reason globs? trigger_file_path? parent_file_path?
WorktreeCreate: name
WorktreeRemove: worktree_path
CwdChanged: old_cwd new_cwd
FileChanged: file_path event
"""
"""The specification's stdin union; `?` marks what may be left out."""


def specified() -> dict[str, list[str]]:
    lines = (line.partition(": ") for line in UNION.strip().splitlines())
    return {name: rest.split() for name, _, rest in lines}


def declared(struct: type[Common]) -> list[str]:
    """Its own fields, in the order of the source, whatever its bases declare."""
    own = [name for base in reversed(struct.__mro__) if base not in (Common, Stdin) for name in _annotated(base)]
    known = {field.name: field for field in fields(struct)}
    return [f"{name}?" if _may_be_missing(known[name]) else name for name in own]


def _annotated(base: type) -> list[str]:
    return list(inspect.get_annotations(base)) if issubclass(base, Common) else []


def _may_be_missing(field: FieldInfo) -> bool:
    return field.default is None


def differences() -> Iterator[str]:
    wanted = specified()
    for what, names in {"the table": [*POINTS], "the names": [*HookEvent]}.items():
        if [*map(str, names)] != [*wanted]:
            yield f"{what}: the order is {', '.join(names)}, not {', '.join(wanted)}"
    for event, point in POINTS.items():
        if point.stdin.__name__ != event:
            yield f"{event}: is described by {point.stdin.__name__}"
        if declared(point.stdin) != wanted.get(event):
            yield f"{event}: has {' '.join(declared(point.stdin))}, not {' '.join(wanted.get(event, []))}"
        if any(field.name == "transcript_path" for field in fields(point.stdin)):
            yield f"{event}: sends a transcript_path; the transcript is in the ledger"
    base = [*fields(Common), *(field for field in fields(Stdin) if field.name.startswith("agent_"))]
    if (spelled := " ".join(f"{f.name}?" if _may_be_missing(f) else f.name for f in base)) != BASE:
        yield f"every event: has {spelled}, not {BASE}"


def main() -> int:
    found = list(differences())
    print("\n".join(found) or f"all {len(POINTS)} events stand as specified")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
