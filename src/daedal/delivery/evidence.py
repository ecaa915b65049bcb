"""What was proved, and does it still hold? Commands that ran in a session, and the content they ran on."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from daedal.delivery.deliverables import Deliverable
from daedal.delivery.proving import why_it_proves_nothing


class Ran(Struct, frozen=True, kw_only=True):
    """One command that ended, with the content that it left behind."""

    command: str
    exit_code: int
    tree: str
    """Digest of the project's content right after it."""
    is_hollow: bool = False
    """It says itself that no test ran in it."""
    item_id: str = ""
    thread_id: str = ""
    """Where it stands in the ledger."""
    receipt: str = ""
    """The hash of its receipt there, by which it is found in the chain."""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """Which command shows that a criterion is met."""

    criterion: int
    """Counts from 1."""
    command: str


class Proof(Struct, frozen=True, kw_only=True):
    """Why a deliverable counts as passed."""

    tree: str
    receipts: list[Ran]
    files: dict[str, str] = {}
    """What was changed for it, with the digests it had then; empty where it is gone."""
    at: str = ""

    @property
    def commands(self) -> list[str]:
        return list(dict.fromkeys(ran.command for ran in self.receipts))

    def is_stale(self, files: Mapping[str, str]) -> bool:
        return any(files.get(path, "") != digest for path, digest in self.files.items())


def missing(deliverable: Deliverable, claims: Sequence[Claim], ran: Sequence[Ran], tree: str) -> list[str]:
    """For each criterion without a fresh receipt, what is missing; empty where all are proved."""
    named = {claim.criterion: claim.command.strip() for claim in claims}
    latest = {one.command.strip(): one for one in ran}
    found: list[str] = []
    for number, criterion in enumerate(deliverable.acceptance_criteria, 1):
        command = named.get(number)
        why = "no command is named for it" if not command else _why_not(command, latest.get(command), tree)
        if why:
            found.append(f"{number}. {criterion[:120]}: {why}")
    return found


def is_green(ran: Ran, tree: str) -> bool:
    return ran.exit_code == 0 and not ran.is_hollow and ran.tree == tree


def _why_not(command: str, ran: Ran | None, tree: str) -> str:
    shown = command if len(command) <= 120 else command[:119] + "…"
    if ran is None:
        return f"`{shown}` did not run in this session with Bash, exactly so"
    if ran.exit_code != 0:
        return f"`{shown}` ended with exit code {ran.exit_code}"
    if ran.is_hollow:
        return f"`{shown}` says that no test ran in it"
    if why := why_it_proves_nothing(command):
        return f"`{shown}` does not count: {why}"
    if ran.tree != tree:
        return f"`{shown}` ran before the last change: run it again"
    return ""


def receipts(claims: Sequence[Claim], ran: Sequence[Ran]) -> list[Ran]:
    latest = {one.command.strip(): one for one in ran}
    wanted = dict.fromkeys(claim.command.strip() for claim in claims)
    return [latest[command] for command in wanted if command in latest]


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Files that differ, with their digests now; empty where one is gone."""
    paths = before.keys() | after.keys()
    return {path: after.get(path, "") for path in sorted(paths) if before.get(path) != after.get(path)}
