"""How far is a run? What it counts, and what is left of its limits; a run that was cut off is counted on."""

import time

from daedal.delivery.journal import Contents
from daedal.delivery.plan import Plan


class Tally:
    """Of one run."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self.iterations = 0
        """Sessions that were begun."""
        self.errors = 0
        """Sessions that failed in a row."""
        self.error = ""
        """Why the last one of them did."""
        self.cost_usd = 0.0
        self.is_out_of_quota = False
        self.is_out_of_budget = False
        self.verified: set[str] = set()
        self.has_planned = False
        """`sync`: its first session is over."""

    def take_up(self, now: Contents) -> int:
        """Counts on where an earlier run of this command was cut off; a finished one is history. How many sessions."""
        cut_off = [one for one in now.sessions if one.number >= now.first_session]
        if now.command != self._plan.workflow.command or now.reason or not cut_off:
            return 0
        self.iterations = len(cut_off)
        self.errors = now.errors
        self.cost_usd = sum(one.cost_usd for one in cut_off)
        return len(cut_off)

    @property
    def duration_s(self) -> float:
        return time.monotonic() - self._began

    def budget_left(self) -> float | None:
        budget = self._plan.max_budget_usd
        return None if budget is None else max(0.0, budget - self.cost_usd)

    def time_left(self) -> float | None:
        limit = self._plan.max_duration_s
        return None if limit is None else max(0.0, limit - self.duration_s)
