"""Which phase is a conversation in, and which may come next? Pure, like `permissions`: values in, an answer out.

Whether the planning phase lets a tool run is answered by `permissions`; the phase itself is kept by `ledger`.
"""

from daedal.phases.coverage import Coverage, CoverageReport, NothingCovered
from daedal.phases.phase import Phase
from daedal.phases.transitions import Grounds, Move, judge, moves

__all__ = ["Coverage", "CoverageReport", "Grounds", "Move", "NothingCovered", "Phase", "judge", "moves"]
