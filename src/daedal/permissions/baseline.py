"""What is decided before any rule of the user's? Reading the workspace is silent, Daedal's own files are closed.

The order is the reasoning: what no posture can open, then what needs no asking, then the posture.
"""

from msgspec import Struct

from daedal.permissions.containment import inside_any
from daedal.protocol.verdict import Decision, Posture, ToolRequest, Verdict

STEERING = ("daedal.toml", ".mcp.json", ".claude", ".git/hooks", ".git/config", ".daedal")
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


class BaselinePolicy:
    def __init__(self, posture: Posture, grounds: Grounds) -> None:
        self._posture = posture
        self._grounds = grounds
        self._silent = [grounds.workspace, *grounds.readable]

    def decide(self, request: ToolRequest) -> Decision:
        closed = self._closed(request)
        if closed:
            return closed
        if request.read_only and all(inside_any(path, self._silent) for path in request.paths):
            return Decision(verdict=Verdict.ALLOW, rule="baseline:read", reason="reading inside the workspace")
        if not request.read_only and (steering := next(filter(steers, request.paths), None)):
            return self._unless_never(
                "baseline:steering", f"{steering} steers the agent, so only a person may allow it"
            )
        if self._posture is Posture.YOLO:
            return Decision(verdict=Verdict.ALLOW, rule="posture:yolo", reason="--approval yolo")
        what = "it reads outside the workspace" if request.read_only else "it changes files or runs commands"
        return self._unless_never("fallback", what)

    def _closed(self, request: ToolRequest) -> Decision | None:
        for path in request.paths:
            if inside_any(path, self._grounds.secret):
                return self._deny(
                    "baseline:secret", f"{path} holds Daedal's own keys or ledger, which no tool may open"
                )
            if not request.read_only and inside_any(path, self._grounds.unwritable):
                return self._deny("baseline:home", f"{path} belongs to Daedal itself, and no tool may write there")
        return None

    def _unless_never(self, rule: str, reason: str) -> Decision:
        if self._posture is Posture.NEVER:
            return self._deny("posture:never", f"{reason}; --approval never refuses instead of asking")
        return Decision(verdict=Verdict.ASK, rule=rule, reason=reason)

    @staticmethod
    def _deny(rule: str, reason: str) -> Decision:
        return Decision(verdict=Verdict.DENY, rule=rule, reason=reason)


def steers(path: str) -> bool:
    """Whether the path is, or lies below, something that steers an agent."""
    return any(f"/{name}/" in f"{path}/" for name in STEERING)
