"""What must hold after a crash? The story that is told while the plug is pulled, and what is compared afterwards.

The model is chosen by depth: a resumed run gets the same answers as an undisturbed one.
"""

import json
import signal
from dataclasses import dataclass
from pathlib import Path

from tests.toolbox.model_server import ModelServer, call, calls, say
from tests.toolbox.program import Daedal

KILLER = Path(__file__).parent / "killer"
UNKNOWN = "[SDLC_INTERNAL]"
PROMPT = "Carry out the plan."
PLAN = [
    calls(("Read", {"file_path": "notes.txt"}), ("Glob", {"pattern": "*.txt"})),
    call("Bash", command="echo first >> effects.log"),
    call("Write", file_path="new.txt", content="made by the agent\n"),
    calls(
        ("Bash", {"command": "echo second >> effects.log"}),
        ("Edit", {"file_path": "notes.txt", "old_string": "one", "new_string": "1"}),
        ("Bash", {"command": "echo third >> effects.log"}),
    ),
    say("All done."),
]
NOTES = "one\ntwo\n"
EFFECTS = {"first", "second", "third"}


@dataclass
class Aftermath:
    """What can be seen from outside when a story has come to its end."""

    transcript: list[tuple[str, object]]
    effects: list[str]
    status: str


def new_world(root: Path, program: list[str] | None = None) -> Daedal:
    daedal = Daedal(root)
    if program:
        daedal.program = program
    (daedal.workspace / "notes.txt").write_text(NOTES)
    return daedal


def told(daedal: Daedal, *, kill_at: str = "", count: Path | None = None, path: str = "") -> bool:
    """Runs the story and resumes it until its end. False where the plug was never pulled: there was no such commit."""
    with ModelServer(PLAN, pick="depth", after="repeat") as model:
        daedal.env.update(model.env())
        extra = {"PYTHONPATH": f"{KILLER}:{path}", "KILL_AT": kill_at}
        if count:
            extra["COMMIT_COUNT"] = str(count)
        first = daedal("exec", PROMPT, "--approval", "yolo", **extra)
        if first.code != -signal.SIGKILL:
            assert first.code == 0, first.err
            return False
        go_on(daedal, path)
        return True


def go_on(daedal: Daedal, path: str = "") -> None:
    """What a person does after a crash: go on with the session, or ask again where none had begun."""
    extra = {"PYTHONPATH": path} if path else {}
    begun = daedal.database.exists() and daedal.rows("SELECT 1 FROM sqlite_master WHERE name = 'sessions'")
    sessions = daedal.rows("SELECT session_id FROM sessions") if begun else []
    if not sessions:
        again = daedal("exec", PROMPT, "--approval", "yolo", **extra)
        assert again.code == 0, again.err
        return
    assert len(sessions) == 1
    again = daedal("exec", "--resume", sessions[0][0], "--approval", "yolo", **extra)
    finished = again.code == 2 and "no unfinished turn" in again.err
    assert finished or again.code == 0, again.err


def aftermath(daedal: Daedal) -> Aftermath:
    rows = daedal.rows("SELECT sequence, entry_type, payload_json FROM transcript_entries ORDER BY sequence")
    assert [row[0] for row in rows] == list(range(len(rows))), "the sequence has no gap"
    log = daedal.workspace / "effects.log"
    here = str(daedal.workspace.resolve())
    return Aftermath(
        transcript=[
            (kind, essence(json.loads(payload.replace(here, "HERE")))) for _, kind, payload in rows if kind != "system"
        ],
        effects=log.read_text().split() if log.exists() else [],
        status=daedal.rows("SELECT status FROM turns")[-1][0],
    )


def edit_can_be_undone(daedal: Daedal) -> None:
    """Whatever a crash cut off: if the file was changed, the record names a blob that holds it as it was."""
    changed = (daedal.workspace / "notes.txt").read_text() != NOTES
    named = [entry for entry in daedal.entries("file_history_snapshot") if entry["path"].endswith("notes.txt")]
    # A pre-image is kept before the change: killed in between, there is one of a file that stayed as it was.
    assert named or not changed
    for entry in named:
        blob = next(daedal.database.parent.rglob(entry["blob"].rpartition("/")[2]))
        assert blob.read_bytes().endswith(NOTES.encode())
        assert blob.stat().st_mode & 0o777 == 0o600


def essence(payload: dict[str, object]) -> object:
    """A payload without what differs between any two runs."""
    return {key: value for key, value in payload.items() if key not in ("uuid", "blob", "path", "_t")}


def compare(found: Aftermath, expected: Aftermath) -> int:
    """Asserts that a crashed and resumed run equals an undisturbed one. Returns how many outcomes are unknown."""
    assert found.status == "completed"
    assert len(found.effects) == len(set(found.effects)), f"an effect ran twice: {found.effects}"
    assert set(found.effects) <= EFFECTS
    kept = [entry for entry in expected.transcript if entry[0] != "file_history_snapshot"]
    came = [entry for entry in found.transcript if entry[0] != "file_history_snapshot"]
    assert [kind for kind, _ in came] == [kind for kind, _ in kept]
    unknown = 0
    for (kind, payload), (_, wanted) in zip(came, kept, strict=True):
        if payload == wanted:
            continue
        assert kind == "tool_result", (payload, wanted)
        assert payload["tool_use_id"] == wanted["tool_use_id"]
        assert payload["content"].startswith(UNKNOWN)
        assert payload["is_error"]
        unknown += 1
    if not unknown:
        assert set(found.effects) == EFFECTS
    return unknown
