"""What came of a turn, for whoever decides what is next? Small enough to be kept, shown to a model, put on record."""

from enum import StrEnum

from msgspec import Struct

from daedal.client.diff_stat import DiffStat
from daedal.protocol.items import ItemStatus, PlanStep
from daedal.protocol.model import Usage
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import ErrorKind, TurnError


class AskKind(StrEnum):
    COMMAND = "command"
    FILE_CHANGE = "fileChange"
    TOOL = "tool"
    INPUT = "input"
    OTHER = "other"


class Asked(Struct, frozen=True, kw_only=True, rename="camel"):
    """What the server wanted to know of its client."""

    request_id: int | str
    kind: AskKind
    turn_id: str
    item_id: str = ""
    answer: str | None = None
    """What this client answered, as `accept`; `resolved` where somebody else did, or it was too late. None: open."""


class CommandRun(Struct, frozen=True, kw_only=True, rename="camel"):
    command: str
    status: ItemStatus
    """Still `inProgress` at the end of a turn where it runs on, or was cut off."""
    exit_code: int | None = None


class FileTouched(Struct, frozen=True, kw_only=True, rename="camel"):
    path: str
    kind: str
    """`add`, `delete` or `update`, as of the whole turn."""
    moved_to: str | None = None


class Trouble(Struct, frozen=True, kw_only=True, rename="camel"):
    message: str
    kind: ErrorKind
    will_retry: bool


class TurnSummary(Struct, frozen=True, kw_only=True, rename="camel"):
    thread_id: str
    turn_id: str
    status: TurnStatus | None
    """None where the turn's beginning was not heard."""
    error: TurnError | None = None
    message: str = ""
    """The agent's last words."""
    plan: list[PlanStep] = []
    diff: DiffStat = DiffStat()
    files: list[FileTouched] = []
    commands: list[CommandRun] = []
    tool_calls: int = 0
    """Commands, file changes and all others that came to an end."""
    declined: int = 0
    """How many of them were not allowed."""
    model_calls: int = 0
    usage: Usage = Usage()
    cost_usd: float | None = None
    troubles: list[Trouble] = []
    """What went wrong on the way, the last ones."""
    approvals: list[Asked] = []
    """What was asked, the last ones."""
    compactions: int = 0
    duration_ms: int | None = None
    items_dropped: int = 0
    """Of the turn's items so many are not kept any more. All of the above counts them too."""

    @property
    def is_over(self) -> bool:
        return self.status not in (None, TurnStatus.IN_PROGRESS)
