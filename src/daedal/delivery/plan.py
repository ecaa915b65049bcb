"""What is asked of a delivery? A workflow, the terms of its sessions, their models, and the limits of it all."""

from msgspec import Struct

from daedal.delivery.workflow import Workflow

UNCONFINED_ALLOW = ["Bash", "Read", "Write", "Edit", "NotebookEdit", "Glob", "Grep"]
"""For whoever took the walls down, or has none: where the guard allows a call nobody else is asked."""


class Terms(Struct, frozen=True, kw_only=True):
    """On which terms every session of a run works."""

    project: str
    command: str
    provider: str | None = None
    allow_destructive: bool = False
    no_sandbox: bool = False
    allow: list[str] = []
    """Permission rules; without walls nothing runs by itself. The guard judges all the same."""


class Plan(Struct, frozen=True, kw_only=True):
    workflow: Workflow
    terms: Terms
    model: str | None = None
    plan_model: str | None = None
    max_iterations: int | None = None
    max_retries: int = 3
    wait_for_quota: bool = False
    needs_receipts: bool = True
    max_budget_usd: float | None = None
    max_duration_s: float | None = None
    pause_s: float = 3.0
    """Between two sessions."""
