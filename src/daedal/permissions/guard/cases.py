"""What would the guard decide about one written case? The form of `daedal policy check bash`."""

from functools import lru_cache
from typing import Any, cast

import msgspec

from daedal.permissions.guard.guard import Guard


def bash_case(case: dict[str, Any]) -> dict[str, Any]:
    command = _text(case, "command")
    profile = _text(case, "profile", "run")
    if profile not in ("run", "sync"):
        raise ValueError(f"profile is {profile!r}, not run or sync")
    flags = cast("object", case.get("flags") or [])
    if not isinstance(flags, list):
        raise ValueError("flags is not a list")
    cwd = _text(case, "cwd")
    home = _text(case, "home", "/")
    if not cwd.startswith("/") or not home.startswith("/"):
        raise ValueError("cwd and home must be absolute paths")
    extra = msgspec.json.encode(case.get("extra"))
    decision = _guard(profile, cwd, home, extra, "--allow-destructive" in flags).decide(command, cwd)
    return {"decision": decision.verdict.value, "reason": decision.reason, "rule": str(decision.rule)}


@lru_cache(maxsize=64)
def _guard(profile: str, project: str, home: str, extra: bytes, allow_destructive: bool) -> Guard:  # noqa: FBT001
    return Guard(
        profile=profile,
        project=project,
        home=home,
        extra=msgspec.json.decode(extra),
        allow_destructive=allow_destructive,
    )


def _text(case: dict[str, Any], key: str, default: str | None = None) -> str:
    value = case.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key} is missing or not text")
    return value
