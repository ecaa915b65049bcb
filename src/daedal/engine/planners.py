"""What does a thread know of whoever plans for it? That it can be asked for a plan, and is let go with the thread."""

from typing import Protocol

from daedal.protocol.turns import Turn


class Plans(Protocol):
    model: str
    outcome: str
    """What came of the last plan."""

    async def plan(self, task: str, turn_id: str) -> tuple[str, Turn | None]:
        """The plan for a turn, empty where there is none, and how the planning ended; None where it was made before."""
        ...

    async def close(self) -> None: ...
