"""What would be decided about a tool call that is only told? One case of `daedal policy check tool`.

Nothing is executed. The disk is looked at for one thing: where the case's folder exists, paths are followed through
symlinks, as they are for a real call.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, cast, get_args

import msgspec

from daedal.permissions.baseline import Grounds
from daedal.permissions.planning import PLANNING, Stage
from daedal.permissions.rules.place import Place
from daedal.permissions.rules.policy import RulesPolicy
from daedal.permissions.rules.ruleset import compile_rules
from daedal.permissions.rules.telling import told_request
from daedal.permissions.settings import DefaultMode, PermissionSettings, WriterMode
from daedal.protocol.verdict import Posture, ToolRequest

TEMPORARY = "/tmp"  # noqa: S108 - a place in the case's world, never opened


def tool_case(case: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError for what is no case."""
    cwd, home = _folder(case, "cwd"), _folder(case, "home")
    is_there = os.path.isdir(cwd)
    resolve: Callable[[str], str] = os.path.realpath if is_there else os.path.normpath
    policy = _policy(case, resolve(cwd), resolve(home), resolve)
    request = _request(case, cwd, policy.place, is_lost=bool(case.get("setup")) and not is_there)
    decision = policy.decide(request)
    return {"decision": str(decision.verdict), "reason": decision.reason, "rule": decision.rule}


def _policy(case: Mapping[str, Any], workspace: str, home: str, resolve: Callable[[str], str]) -> RulesPolicy:
    own = _table(case, "settings")
    appendix = _table(own, "permissions") or own
    managed = _settings({key: appendix[key] for key in ("allow", "ask", "deny") if key in appendix})
    settings = _settings(
        {key: value for key, value in appendix.items() if key not in ("allow", "ask", "deny", "managed")}
        | _rules(_table(case, "rules"))
        | _mode(case.get("mode"))
    )
    rules, _ = compile_rules(settings, managed=managed)
    return RulesPolicy(_posture(case), _grounds(workspace, home), rules, stage=_stage(case), resolve=resolve)


def _grounds(workspace: str, home: str) -> Grounds:
    own = f"{home}/.daedal"
    return Grounds(
        workspace=workspace,
        readable=[TEMPORARY],
        secret=[f"{own}/.env", f"{own}/daedal.db", f"{own}/mcp", f"{own}/auth"],
        unwritable=[own],
        home=home,
    )


def _request(case: Mapping[str, Any], cwd: str, place: Place, *, is_lost: bool) -> ToolRequest:
    tool = case.get("tool")
    if not isinstance(tool, str) or not tool:
        raise ValueError("`tool` is the name of a tool")
    request = told_request(tool, _table(case, "input"), cwd, place)
    # A tree that is described but not there cannot be followed: where its paths lead stays unknown.
    return msgspec.structs.replace(request, paths=[]) if is_lost else request


def _settings(given: Mapping[str, Any]) -> PermissionSettings:
    known = set(PermissionSettings.__struct_encode_fields__)
    try:
        return msgspec.convert({key: value for key, value in given.items() if key in known}, PermissionSettings)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


def _rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    return {key: rules[key] for key in ("allow", "ask", "deny") if rules.get(key) is not None}


def _mode(mode: object) -> dict[str, Any]:
    """Either a default mode or the mode for calls that change something."""
    if mode is None:
        return {}
    if mode in get_args(DefaultMode):
        return {"defaultMode": mode}
    if mode in get_args(WriterMode):
        return {"mode": mode}
    raise ValueError(f"unknown mode {mode!r}")


def _posture(case: Mapping[str, Any]) -> Posture:
    return Posture(case.get("posture") or Posture.ASK)


def _stage(case: Mapping[str, Any]) -> Stage:
    context = _table(case, "context")
    phase, approved = str(context.get("phase") or "idle"), bool(context.get("approved_plan"))
    return Stage(phase=phase, approved_plan=approved, plan_window=approved and phase != PLANNING)


def _folder(case: Mapping[str, Any], key: str) -> str:
    path = case.get(key)
    if not isinstance(path, str) or not path.startswith("/") or "\0" in path:
        raise ValueError(f"`{key}` is an absolute path")
    return os.path.normpath(path)


def _table(case: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = case.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"`{key}` is an object")
    return cast("dict[str, Any]", value)
