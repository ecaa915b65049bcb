"""Does a goal survive the plug? Killed at every commit boundary, it is reached all the same, with the right counts."""

import json
import signal
from pathlib import Path

import pytest

from tests.crash.story import KILLER, UNKNOWN
from tests.toolbox.model_server import ModelServer, call, say
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement

STORY = [
    say("Looked around.\n[goal:continue]"),
    say("All there.\n[goal:complete]"),
    call("Bash", command="echo made >> done.txt"),
    say("All there now.\n[goal:complete]"),
    # Only where the plug was pulled between the command and its record: it is not run again, and the check notices.
    call("Bash", command="echo made >> done.txt"),
    say("Really all there.\n[goal:complete]"),
]
GOAL = ["--goal", "Make done.txt.", "--until", "test -f done.txt", "--goal-limit", "3"]


def run(daedal: Daedal, *words: str, **extra: str) -> Finished:
    return daedal("exec", *words, "--approval", "yolo", **extra)


def told(daedal: Daedal, **extra: str) -> Finished:
    """The story, and after a crash what a person does: go on, or begin again where nothing had begun."""
    with ModelServer(STORY, pick="depth") as model:
        daedal.env.update(model.env())
        first = run(daedal, *GOAL, PYTHONPATH=str(KILLER), **extra)
        if first.code != -signal.SIGKILL:
            return first
        known = daedal.database.exists() and daedal.rows("SELECT 1 FROM sqlite_master WHERE name = 'sessions'")
        sessions = daedal.rows("SELECT session_id FROM sessions") if known else []
        again = run(daedal, *(["--resume", sessions[0][0]] if sessions else GOAL))
        is_over = again.code == 2 and "no unfinished turn" in again.err
        assert is_over or again.code == 0, again.err
        return first


def outcome(daedal: Daedal) -> tuple[object, ...]:
    [(value,)] = daedal.rows("SELECT value FROM state WHERE key LIKE 'goal:%'")
    goal = json.loads(value)["goal"]
    turns = daedal.rows(
        "SELECT count(*) FROM turns WHERE turn_id IN (SELECT turn_id FROM transcript_entries WHERE entry_type = 'user')"
    )
    [(calls,)] = daedal.rows("SELECT count(*) FROM model_calls")
    assert goal["steps"] == calls
    ran = (daedal.workspace / "done.txt").read_text()
    return goal["status"], goal["continuations"], goal["lastCheck"]["passed"], turns, ran


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[tuple[object, ...], int]:
    root = tmp_path_factory.mktemp("undisturbed")
    daedal, count = Daedal(root), root / "commits"
    assert told(daedal, COMMIT_COUNT=str(count)).code == 0
    return outcome(daedal), count.stat().st_size


@requirement("DX-04", "RX-12")
@pytest.mark.long
@pytest.mark.parametrize("where", ["before", "after"])
def test_killed_at_any_commit_the_goal_is_reached_with_the_same_counts(where: str, undisturbed, tmp_path: Path):
    expected, commits = undisturbed
    assert expected == ("complete", 2, True, [(3,)], "made\n")
    for number in range(1, commits + 1):
        daedal = Daedal(tmp_path / str(number))
        assert told(daedal, KILL_AT=f"{where}:{number}").code == -signal.SIGKILL
        found = outcome(daedal)
        once_more = ("complete", 3, True, [(4,)], "made\n")
        unknown = [one for one in daedal.results() if one["content"].startswith(UNKNOWN)]
        assert found == (once_more if unknown and found != expected else expected), number
