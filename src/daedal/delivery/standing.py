"""How do things stand? Every deliverable with its status, sessions, time and cost, and who is at work."""

from typing import Any

from msgspec import Struct

from daedal.delivery.deliverables import Status
from daedal.delivery.hold import Holder, holder_of
from daedal.delivery.journal import Contents, Journal, SessionEntry
from daedal.delivery.status_file import StatusFile
from daedal.delivery.tree import Tree


class OverviewRow(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    description: str
    status: str
    """`pending`, `passed`, `blocked`, `stale` or `deprecated`."""
    sessions: int
    duration_s: float
    cost_usd: float
    commands: list[str] = []
    """What proved it."""


class Overview(Struct, rename="camel", frozen=True, kw_only=True):
    deliverables: list[OverviewRow]
    passed: int
    blocked: int
    pending: int
    stale: int
    total: int
    sessions: int
    cost_usd: float
    duration_s: float
    running: Holder | None = None
    """Who is at work right now."""
    command: str = ""
    reason: str = ""
    """How the last run ended."""
    session: dict[str, Any] | None = None
    """The newest one."""


def overview(project: str) -> Overview | None:
    """None where nothing was planned yet. Raises BrokenStatus."""
    board = StatusFile(project).read()
    journal = Journal(project).load()
    if board is None:
        return None
    now = journal.now
    proofs = now.proofs
    files = Tree(project).look().files if proofs else {}
    rows: list[OverviewRow] = []
    for one in board.deliverables:
        proof = proofs.get(one.id)
        status = str(one.status) if one.is_active else "deprecated"
        if one.is_active and one.status is Status.PASSED and proof is not None and proof.is_stale(files):
            status = "stale"
        share = _share(one.id, now)
        rows.append(
            OverviewRow(
                id=one.id,
                description=one.description,
                status=status,
                sessions=share[0],
                duration_s=share[1],
                cost_usd=share[2],
                commands=proof.commands if proof else [],
            )
        )
    counts = {status: sum(row.status == status for row in rows) for status in ("passed", "blocked", "pending", "stale")}
    newest = now.sessions[-1] if now.sessions else None
    return Overview(
        deliverables=rows,
        **counts,
        total=len(board.active()),
        sessions=len(now.sessions),
        cost_usd=sum(session.cost_usd for session in now.sessions),
        duration_s=sum(session.duration_s for session in now.sessions),
        running=holder_of(journal.folder),
        command=now.command,
        reason=now.reason,
        session=_shown(newest) if newest else None,
    )


def _share(deliverable_id: str, now: Contents) -> tuple[int, float, float]:
    """Sessions that changed it; time and cost are shared among all that such a session changed."""
    own = [
        session
        for session in now.sessions
        if deliverable_id in session.changed and session.instruction != "initializer"
    ]
    return (
        len(own),
        sum(session.duration_s / len(session.changed) for session in own),
        sum(session.cost_usd / len(session.changed) for session in own),
    )


def _shown(session: SessionEntry) -> dict[str, Any]:
    return {"number": session.number, "instruction": session.instruction, "outcome": session.outcome or None}
