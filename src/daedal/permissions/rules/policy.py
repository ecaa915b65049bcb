"""May a call of one thread proceed, by which rule? Rules, stage and posture in, verdict out.

This is made before the first request of every thread, so it is light: the stages, and what they need, are loaded with
the first call that is decided.
"""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from daedal.permissions.baseline import Grounds
from daedal.permissions.planning import Stage
from daedal.permissions.rules.ruleset import RuleSet
from daedal.protocol.verdict import Decision, Posture, ToolRequest

if TYPE_CHECKING:
    from daedal.permissions.rules.place import Place
    from daedal.permissions.rules.stages import Stages, Step


class RulesPolicy:
    """Decides every call of one thread. Rules, stage and posture may be replaced at any time."""

    def __init__(
        self,
        posture: Posture,
        grounds: Grounds,
        rules: RuleSet | None = None,
        *,
        stage: Stage | None = None,
        trusted_read_only: Collection[str] = (),
        unattended: bool = False,
        resolve: Callable[[str], str] | None = None,
    ) -> None:
        """`resolve` takes symlinks out of the paths in a command; without it the disk is not looked at."""
        self.posture = posture
        self.rules = rules or RuleSet()
        self.stage = stage or Stage()
        self._grounds = grounds
        self._trusted_read_only = trusted_read_only
        self._unattended = unattended
        self._resolve = resolve

    @property
    def place(self) -> "Place":
        """Where paths in rules and calls start from."""
        from daedal.permissions.rules.place import Place, as_it_is

        grounds = self._grounds
        return Place(
            workspace=grounds.workspace,
            home=grounds.home,
            directories=self.rules.absolute_directories(grounds.workspace, grounds.home),
            resolve=self._resolve or as_it_is,
        )

    def decide(self, request: ToolRequest) -> Decision:
        from daedal.permissions.rules.postures import answered

        decision = next(step.decision for step in self.steps(request) if step.decision)
        is_disabled = self.posture is Posture.YOLO and self.rules.is_bypass_disabled
        posture = Posture.ASK if is_disabled else self.posture
        return answered(decision, posture, plan_window=self.stage.plan_window, unattended=self._unattended)

    def steps(self, request: ToolRequest) -> "Iterator[Step]":
        """Every stage with what it would say; the first that speaks decides."""
        return self.stages(request).steps()

    def stages(self, request: ToolRequest) -> "Stages":
        from daedal.permissions.rules.stages import Stages

        return Stages(
            request,
            grounds=self._grounds,
            place=self.place,
            rules=self.rules,
            stage=self.stage,
            trusted_read_only=self._trusted_read_only,
        )
