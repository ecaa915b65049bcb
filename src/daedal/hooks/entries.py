"""Is this table a hook? Checked key by key, so that a wrong one can be named."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from daedal.hooks.hook import Hook, Shell
from daedal.protocol.catalogue import say
from daedal.protocol.hooks import HookEvent

TIMEOUT_S_MAX = 86_400
KNOWN = {"type", "hook_event_name", "matcher", "command", "shell", "timeout", "if", "required"}


class Flaw(Struct, frozen=True):
    """Why it is none."""

    why: str


class Made(Struct, frozen=True):
    hook: Hook
    notes: list[str]
    """What of it is ignored."""


def hook_of(given: Mapping[str, Any], event: HookEvent, source: str) -> Made | Flaw:
    kind = given.get("type", "command")
    if kind != "command":
        return Flaw(say("hooks.other_type", type=str(kind)[:100]))
    command = given.get("command")
    if not isinstance(command, str) or not command.strip() or "\0" in command:
        return Flaw(say("hooks.no_command"))
    for key in ("matcher", "if"):
        if not isinstance(given.get(key, ""), str):
            return Flaw(say("hooks.not_text", key=key))
    shell = given.get("shell", Shell.BASH)
    if shell not in list(Shell):
        return Flaw(say("hooks.other_shell", shell=str(shell)[:100]))
    timeout = given.get("timeout")
    if timeout is not None and not _is_duration(timeout):
        return Flaw(say("hooks.bad_timeout", max=TIMEOUT_S_MAX))
    required = given.get("required", False)
    if not isinstance(required, bool):
        return Flaw(say("hooks.not_yes_or_no", key="required"))
    hook = Hook(
        event=event,
        command=command,
        matcher=given.get("matcher", ""),
        shell=Shell(shell),
        timeout_s=timeout,
        condition=given.get("if", ""),
        required=required,
        source=source,
    )
    return Made(hook, _notes(given, hook))


def _notes(given: Mapping[str, Any], hook: Hook) -> list[str]:
    notes = [say("hooks.unknown_key", key=key[:100]) for key in given if key not in KNOWN]
    if hook.required and hook.event is not HookEvent.PRE_TOOL_USE:
        notes.append(say("hooks.required_elsewhere", event=hook.event))
    return notes


def _is_duration(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= TIMEOUT_S_MAX
