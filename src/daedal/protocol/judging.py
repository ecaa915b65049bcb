"""Where does the gate meet those who have a say in it? Rules, hooks, and the gate itself as an engine knows it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from daedal.protocol.approvals import Offers
from daedal.protocol.hooks import HookAnswer, HookEvent, HookScene
from daedal.protocol.items import Change
from daedal.protocol.verdict import Decision, Posture, Ruling, ToolRequest

Preview = Callable[[ToolRequest], Awaitable[list[Change]]]


class Policy(Protocol):
    """Answers whether a request may proceed. Never performs it, never waits."""

    def decide(self, request: ToolRequest) -> Decision: ...


class Hooks(Protocol):
    """The user's own scripts. Sequential and in order; whatever they do, an answer comes back."""

    def listens(self, event: HookEvent) -> bool:
        """Whether any hook is configured for it, so that nothing need be prepared for nobody."""
        ...

    async def fire(self, event: HookEvent, scene: HookScene, fields: Mapping[str, Any]) -> HookAnswer:
        """Runs the hooks that match. `fields` are the event's own; nothing in them may hold a secret."""
        ...


class Rulebook(Policy, Protocol):
    """A thread's rules, which grants and hooks may add to while it runs."""

    @property
    def posture(self) -> Posture: ...

    @property
    def mode(self) -> str:
        """The default mode, as hooks are told it."""
        ...

    def offers(self, request: ToolRequest) -> Offers: ...

    def grant(self, rule: str, *, always: bool, is_project: bool = False) -> None:
        """From now on the rule allows; `always` also writes it to the settings of the user, or else of the project.

        Raises ConfigurationError.
        """
        ...

    def enter(self, phase: str, *, has_approved_plan: bool, carries_out: bool = False) -> None:
        """The phase is this one now; with `carries_out` a person has just approved the plan of what follows."""
        ...

    def denials(self) -> list[str]:
        """The deny rules in force, as they would be written."""
        ...

    def adjust(self, *, posture: Posture, mode: str | None, is_read_only: bool) -> None:
        """What the person wants from now on; grants stay. No mode takes that of the settings."""
        ...

    def update(self, changes: Sequence[Mapping[str, Any]]) -> None:
        """Applies PermissionUpdate objects that a hook answered with."""
        ...


class Gate(Protocol):
    """The one place that every tool call passes, whoever asks for it."""

    async def rule(
        self,
        request: ToolRequest,
        *,
        turn_id: str,
        revise: Callable[[dict[str, Any]], ToolRequest],
        preview: Preview | None = None,
    ) -> Ruling:
        """The last word. `revise` describes the call anew, where a hook or the person changed its input.

        `preview` tells whoever is asked what it would change; None where the call is a guest's own to carry out.
        """
        ...

    def may_ask(self, request: ToolRequest) -> bool:
        """Whether a person would be asked, as far as rules can tell. Nobody is, and nothing happens by this."""
        ...

    def enter(self, phase: str, *, has_approved_plan: bool, carries_out: bool = False) -> None:
        """The conversation is in this phase now; with `carries_out` a person has just approved what follows."""
        ...

    def denials(self) -> list[str]:
        """The deny rules in force, so that whoever works for the thread has them too."""
        ...

    def adjust(self, *, posture: Posture, mode: str | None, is_read_only: bool) -> None:
        """What the person wants from the next decision on; what was granted stays granted."""
        ...

    async def let_out(self, request: ToolRequest, *, turn_id: str, blocked: str) -> Ruling | None:
        """Whether a person lets the call leave the walls that stopped it; None where nobody can be asked."""
        ...
