"""Which past verdicts would be others under other rules? Every recorded call is decided again; nothing is run."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from daedal.app.grounds import grounds_in
from daedal.config import secret_paths
from daedal.ledger import DecidedCall, Ledger
from daedal.permissions import PermissionSettings, RulesPolicy, Stage, compile_rules
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.verdict import Decision, Posture, ToolRequest

FILE_BYTES_MAX = 4_194_304
NOT_BY_RULES = ("hook ", "guard:", "sandbox:", "malformed", "unknown tool")
"""Verdicts that no rule made, and that other rules leave as they are."""


class Replayed(Struct, frozen=True, kw_only=True):
    """A call, its verdict then, and its verdict under the other rules."""

    call: DecidedCall
    before: str
    """`ask` where somebody or the default answered."""
    after: Decision | None
    """None where rules do not decide it, or the record does not say enough."""

    @property
    def is_changed(self) -> bool:
        return self.after is not None and self.after.verdict != self.before


def replayed(ledger: Ledger, rules: PermissionSettings, *, since: str) -> Iterator[Replayed]:
    """Every decided call, oldest first."""
    compiled, _ = compile_rules(rules)
    secret = [*secret_paths(), *ledger.files()]
    for call in ledger.decided_calls(since=since):
        said = call.reason
        before = "ask" if said.get("asked") else call.decision
        if call.input is None or call.rule.startswith(NOT_BY_RULES) or "posture" not in said:
            yield Replayed(call=call, before=before, after=None)
            continue
        stage = Stage(phase=said.get("phase") or "idle", approved_plan=bool(said.get("approved_plan")))
        policy = RulesPolicy(Posture(said["posture"]), grounds_in(call.project_dir, secret), compiled, stage=stage)
        yield Replayed(call=call, before=before, after=policy.decide(_request(call)))


def _request(call: DecidedCall) -> ToolRequest:
    said = call.reason
    return ToolRequest(
        tool_use_id=call.tool_use_id,
        tool=call.tool_name,
        input=call.input or {},
        read_only=bool(said.get("read_only")),
        paths=list(said.get("paths") or []),
        cwd=call.cwd,
        is_confined=bool(said.get("confined")),
        principal=call.principal,
    )


def read_rules(path: str) -> PermissionSettings:
    """The table `[permissions]` of a TOML file, or of a JSON file by that ending; or such a table alone."""
    try:
        with open(path, "rb") as file:
            raw = file.read(FILE_BYTES_MAX)
        data: Any = msgspec.json.decode(raw) if path.endswith(".json") else msgspec.toml.decode(raw)
        is_part = isinstance(data, dict) and "permissions" in data
        rules = msgspec.convert(data["permissions"] if is_part else data, PermissionSettings)
    except OSError as error:
        raise UsageError(say("app.rules_unreadable", path=path, why=error.strerror)) from error
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise UsageError(say("app.rules_unreadable", path=path, why=error)) from error
    _, invalid = compile_rules(rules)
    if invalid:
        # Without it the others would be a different policy than the one that was asked about.
        raise UsageError(say("app.bad_rule", rule=invalid[0].text, why=invalid[0].why))
    return rules
