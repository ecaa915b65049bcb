"""What is decided whatever the rules say? Daedal's own files are closed, what steers an agent is always asked for."""

from collections.abc import Iterable

from msgspec import Struct

from daedal.permissions.containment import inside_any
from daedal.protocol.verdict import Decision, Verdict

STEERING = (
    "daedal.toml",
    ".mcp.json",
    ".claude",
    ".git/hooks",
    ".git/config",
    ".git/commondir",
    ".git/config.worktree",
    ".daedal",
)
"""What steers an agent, in whatever folder it lies. Writing there is always asked for, even under yolo."""


class Grounds(Struct, frozen=True, kw_only=True):
    """The places a verdict depends on; all paths absolute and symlink-free."""

    workspace: str
    readable: list[str]
    """Beside the workspace, where reading is silent: the temporary folder."""
    secret: list[str]
    """Never read and never written by a tool: saved keys and the ledger."""
    unwritable: list[str]
    """Never written by a tool: Daedal's home."""
    home: str = ""
    """The person's home folder, where `~` in a rule leads."""


def closed(grounds: Grounds, *, opened: Iterable[str], written: Iterable[str]) -> Decision | None:
    """The refusal, where a call opens or writes what no tool may."""
    for path in opened:
        if inside_any(path, grounds.secret):
            return _deny("baseline:secret", f"{path} holds Daedal's own keys or ledger, which no tool may open")
    for path in written:
        if inside_any(path, grounds.secret):
            return _deny("baseline:secret", f"{path} holds Daedal's own keys or ledger, which no tool may open")
        if inside_any(path, grounds.unwritable):
            return _deny("baseline:home", f"{path} belongs to Daedal itself, and no tool may write there")
    return None


def steering(written: Iterable[str]) -> Decision | None:
    """The question, where a call writes what steers an agent."""
    path = next(filter(steers, written), None)
    if path is None:
        return None
    reason = f"{path} steers the agent, so only a person may allow it"
    return Decision(verdict=Verdict.ASK, rule="baseline:steering", reason=reason, is_firm=True)


def steers(path: str) -> bool:
    """Whether the path is, or lies below, something that steers an agent. Some file systems ignore case.

    A file called `.git` says where a worktree's hooks are, so it steers too.
    """
    place = f"{path.lower()}/"
    return place.endswith("/.git/") or any(f"/{name}/" in place for name in STEERING)


def _deny(rule: str, reason: str) -> Decision:
    return Decision(verdict=Verdict.DENY, rule=rule, reason=reason)
