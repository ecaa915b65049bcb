"""Which phase is a conversation in, and which may come next? Pure, like `permissions`: values in, an answer out.

Whether the planning phase lets a tool run is answered by `permissions`; the phase itself is kept by `ledger`.
"""

from daedal.phases.coverage import CoverageReport, NothingCovered
from daedal.phases.phase import Phase
from daedal.phases.transitions import Grounds, judge, moves

__all__ = ["CoverageReport", "Grounds", "NothingCovered", "Phase", "judge", "moves"]
