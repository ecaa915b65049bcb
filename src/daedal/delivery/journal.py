"""What has been done so far, beside the status of deliverables? Sessions, proofs, and what was learned the hard way.

Kept in `.daedal/run/journal.json`, replaced as a whole: a run that was killed goes on with the right counters, and
`daedal status` shows it from another terminal. It is no authority: without it a run only knows less.
"""

import os

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daedal.config import read_ordinary, replace_file
from daedal.delivery.evidence import Proof

BYTES_MAX = 64 * 1024 * 1024
SESSIONS_MAX = 2_000
LESSONS_MAX = 40


class SessionEntry(Struct, rename="camel", frozen=True, kw_only=True):
    number: int
    instruction: str
    thread_id: str = ""
    model: str = ""
    outcome: str = ""
    """Empty while it runs, and where it was killed."""
    started_at: float = 0.0
    duration_s: float = 0.0
    cost_usd: float = 0.0
    changed: list[str] = []
    """Ids of deliverables whose status it changed."""


class Contents(Struct, rename="camel", frozen=True, kw_only=True):
    version: int = 1
    command: str = ""
    sessions: list[SessionEntry] = []
    proofs: dict[str, Proof] = {}
    """By deliverable."""
    lessons: list[str] = []
    verified: list[str] = []
    """What the present `sync` has verified, or the last one."""
    has_planned: bool = False
    """Of a `sync`: its first session is over."""
    errors: int = 0
    """Sessions that failed in a row, up to now."""
    first_session: int = 1
    """With which the present run began, or the last one."""
    tree: str = ""
    """The content that `verified` is about."""
    reason: str = ""
    """How the last run ended; empty while one is at work, or where it was killed."""
    status_sha256: str = ""
    """Of the status file, as a run left it."""
    next_sha256: str = ""
    """Of what was just about to be written there."""
    updated_at: float = 0.0


class Journal:
    def __init__(self, project: str) -> None:
        self.folder = os.path.join(project, ".daedal", "run")
        self.path = os.path.join(self.folder, "journal.json")
        self.now = Contents()

    def load(self) -> "Journal":
        """Whatever cannot be read counts as not there: everything in it can be found out again."""
        try:
            data = read_ordinary(self.path, bytes_max=BYTES_MAX).data
            self.now = msgspec.json.decode(data, type=Contents)
        except (OSError, msgspec.DecodeError, RecursionError):
            self.now = Contents()
        return self

    def change(self, **changes: object) -> None:
        import time

        self.now = replace(self.now, updated_at=time.time(), **changes)
        replace_file(self.path, msgspec.json.encode(self.now), is_private=False)

    def prepare(self) -> None:
        """The folder, which git does not see: it says how this machine worked, not what the project is."""
        os.makedirs(self.folder, exist_ok=True)
        mark = os.path.join(self.folder, ".gitignore")
        if not os.path.lexists(mark):
            replace_file(mark, b"*\n", is_private=False)

    def learned(self, lesson: str) -> None:
        self.change(lessons=[*(one for one in self.now.lessons if one != lesson), lesson][-LESSONS_MAX:])

    def entered(self, entry: SessionEntry) -> None:
        """A session that began, or what came of it."""
        kept = [one for one in self.now.sessions if one.number != entry.number]
        self.change(sessions=[*kept, entry][-SESSIONS_MAX:])

    def proved(self, deliverable_id: str, proof: Proof) -> None:
        # That it was broken once is no news to anybody any more.
        lessons = [lesson for lesson in self.now.lessons if not lesson.startswith(f"{deliverable_id} ")]
        self.change(proofs={**self.now.proofs, deliverable_id: proof}, lessons=lessons)

    def unproved(self, deliverable_id: str) -> None:
        if deliverable_id in self.now.proofs:
            self.change(proofs={key: proof for key, proof in self.now.proofs.items() if key != deliverable_id})
