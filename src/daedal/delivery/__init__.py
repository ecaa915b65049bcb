"""How does a SPEC.md become verified software? The unattended run and sync loops."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.delivery.duration import in_words, seconds_of
    from daedal.delivery.hold import held
    from daedal.delivery.loop import Loop
    from daedal.delivery.plan import UNCONFINED_ALLOW, Plan, Terms
    from daedal.delivery.progress import (
        Activity,
        DeliverableChanged,
        Detail,
        Fact,
        Note,
        SessionEnded,
        SessionStarted,
        Waiting,
    )
    from daedal.delivery.result import DeliveryResult, ending, found, overall
    from daedal.delivery.session import Open
    from daedal.delivery.specification import check_specification, check_state_folder
    from daedal.delivery.standing import Overview, OverviewRow, Standing
    from daedal.delivery.termination import Reason
    from daedal.delivery.workflow import RUN, SYNC, Workflow

_FILES = {
    "Activity": "progress",
    "DeliverableChanged": "progress",
    "DeliveryResult": "result",
    "Detail": "progress",
    "Fact": "progress",
    "Loop": "loop",
    "Note": "progress",
    "Open": "session",
    "Overview": "standing",
    "OverviewRow": "standing",
    "Plan": "plan",
    "RUN": "workflow",
    "Reason": "termination",
    "SYNC": "workflow",
    "SessionEnded": "progress",
    "SessionStarted": "progress",
    "Standing": "standing",
    "Terms": "plan",
    "UNCONFINED_ALLOW": "plan",
    "Waiting": "progress",
    "Workflow": "workflow",
    "check_specification": "specification",
    "check_state_folder": "specification",
    "ending": "result",
    "found": "result",
    "held": "hold",
    "in_words": "duration",
    "overall": "result",
    "seconds_of": "duration",
}

__all__ = [
    "RUN",
    "SYNC",
    "UNCONFINED_ALLOW",
    "Activity",
    "DeliverableChanged",
    "DeliveryResult",
    "Detail",
    "Fact",
    "Loop",
    "Note",
    "Open",
    "Overview",
    "OverviewRow",
    "Plan",
    "Reason",
    "SessionEnded",
    "SessionStarted",
    "Standing",
    "Terms",
    "Waiting",
    "Workflow",
    "check_specification",
    "check_state_folder",
    "ending",
    "found",
    "held",
    "in_words",
    "overall",
    "seconds_of",
]

__getattr__ = loaded_when_used(__name__, _FILES)
