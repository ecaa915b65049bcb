"""How do things stand? Every deliverable with its status, sessions, time and cost, and who is at work."""

from typing import Any, NamedTuple

from msgspec import Struct

from daedal.delivery.deliverables import Board, Status
from daedal.delivery.hold import Holder, holder_of
from daedal.delivery.journal import Contents, Journal, SessionEntry
from daedal.delivery.specification import check_state_folder
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


class Share(NamedTuple):
    """What one deliverable took."""

    sessions: int = 0
    duration_s: float = 0.0
    cost_usd: float = 0.0


class Overview(Struct, rename="camel", frozen=True, kw_only=True):
    deliverables: list[OverviewRow]
    passed: int
    blocked: int
    pending: int
    stale: int
    total: int
    verified: int | None = None
    """Of the last `sync`; None where a `run` came after it."""
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


class Standing:
    """Looks at one project again and again; files that did not change meanwhile are not read again."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._tree = Tree(project)

    def look(self) -> Overview | None:
        """None where nothing was planned yet. Raises BrokenStatus or UsageError."""
        check_state_folder(self._project)
        board = StatusFile(self._project).read()
        journal = Journal(self._project).load()
        return None if board is None else _overview(board, journal, self._tree)


def _overview(board: Board, journal: Journal, tree: Tree) -> Overview:
    now = journal.now
    proofs = now.proofs
    files = tree.digests({path for proof in proofs.values() for path in proof.files})
    shares = _shares(now)
    rows: list[OverviewRow] = []
    for one in board.deliverables:
        proof = proofs.get(one.id)
        status = str(one.status) if one.is_active else "deprecated"
        if one.is_active and one.status is Status.PASSED and proof is not None and proof.is_stale(files):
            status = "stale"
        share = shares.get(one.id, Share())
        rows.append(
            OverviewRow(
                id=one.id,
                description=one.description,
                status=status,
                sessions=share.sessions,
                duration_s=share.duration_s,
                cost_usd=share.cost_usd,
                commands=proof.commands if proof else [],
            )
        )
    counts = {status: sum(row.status == status for row in rows) for status in ("passed", "blocked", "pending", "stale")}
    newest = now.sessions[-1] if now.sessions else None
    return Overview(
        deliverables=rows,
        **counts,
        total=len(board.active()),
        verified=sum(one.id in now.verified for one in board.active()) if now.command == "sync" else None,
        sessions=len(now.sessions),
        cost_usd=sum(session.cost_usd for session in now.sessions),
        duration_s=sum(session.duration_s for session in now.sessions),
        running=holder_of(journal.folder),
        command=now.command,
        reason=now.reason,
        session=_shown(newest) if newest else None,
    )


def _shares(now: Contents) -> dict[str, Share]:
    """By deliverable: sessions that changed it; time and cost are shared among all that such a session changed."""
    shares: dict[str, Share] = {}
    for session in now.sessions:
        if session.instruction == "initializer":
            continue
        for key in session.changed:
            share, count = shares.get(key, Share()), len(session.changed)
            shares[key] = Share(
                share.sessions + 1,
                share.duration_s + session.duration_s / count,
                share.cost_usd + session.cost_usd / count,
            )
    return shares


def _shown(session: SessionEntry) -> dict[str, Any]:
    return {"number": session.number, "instruction": session.instruction, "outcome": session.outcome or None}
