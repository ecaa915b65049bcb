"""Does pulling the plug lose anything? The process is killed at every commit boundary, and inside a command."""

import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.crash.story import PROMPT, UNKNOWN, Aftermath, aftermath, compare, edit_can_be_undone, go_on, new_world, told
from tests.toolbox.model_server import ModelServer, call, say
from tests.toolbox.requirement import requirement

SOURCE = Path(__file__).parents[2] / "src"
INTENT = "await self._commit(self._intent(reply))"
NO_INTENT = "self._pending.extend(self._intent(reply))"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory):
    """The story without a crash, and how many commits it takes."""
    root = tmp_path_factory.mktemp("undisturbed")
    daedal = new_world(root)
    count = root / "commits"
    assert not told(daedal, count=count)
    return aftermath(daedal), count.stat().st_size


def killed(where: str, number: int, expected: Aftermath, root: Path) -> int:
    """Kills there, goes on, and compares. Returns how many outcomes are unknown."""
    daedal = new_world(root / f"{where}-{number}")
    assert told(daedal, kill_at=f"{where}:{number}")
    unknown = compare(aftermath(daedal), expected)
    edit_can_be_undone(daedal)
    return unknown


@requirement("DX-04", "SD-02")
def test_killed_around_a_commit_the_resumed_run_equals_an_undisturbed_one(undisturbed, tmp_path: Path):
    expected, commits = undisturbed
    # Of each kind of commit one: nothing has begun yet, a call is intended, a call was made and is not recorded.
    points = [("before", 1), *(("before", number) for number in range(3, commits, 4))]
    points += [("after", number) for number in range(4, commits + 1, 4)]
    unknown = sum(killed(where, number, expected, tmp_path) for where, number in points)
    assert unknown, "some kills must have hit between an effect and its record"


@pytest.mark.long
@requirement("DX-04", "SD-02")
@pytest.mark.parametrize("where", ["before", "after"])
def test_killed_at_any_commit_the_resumed_run_equals_an_undisturbed_one(where: str, undisturbed, tmp_path: Path):
    expected, commits = undisturbed
    unknown = sum(killed(where, number, expected, tmp_path) for number in range(1, commits + 1))
    assert unknown, "some kills must have hit between an effect and its record"


@requirement("DX-04")
def test_the_harness_notices_a_build_that_records_no_intent(undisturbed, tmp_path: Path):
    expected, commits = undisturbed
    build = tmp_path / "build"
    shutil.copytree(SOURCE, build, ignore=shutil.ignore_patterns("together.*", "*.pyc.*"))
    turn = build / "daedal" / "engine" / "turn.py"
    text = turn.read_text()
    assert text.count(INTENT) == 1
    turn.write_text(text.replace(INTENT, NO_INTENT))
    complaints: list[str] = []
    for number in range(commits // 2, commits):  # in its second half there is something to run twice
        daedal = new_world(tmp_path / str(number), [sys.executable, "-m", "daedal"])
        if not told(daedal, kill_at=f"before:{number}", path=str(build)):
            break
        try:
            compare(aftermath(daedal), expected)
        except AssertionError as complaint:
            complaints.append(str(complaint))
            if "an effect ran twice" in complaints[-1]:
                return
    pytest.fail(f"no effect ran twice: {complaints}")


@requirement("DX-04")
def test_a_command_that_kills_its_agent_is_reported_as_unknown_and_not_run_again(tmp_path: Path):
    daedal = new_world(tmp_path)
    replies = [call("Bash", command="echo hit >> effects.log; kill -9 $PPID"), say("Understood.")]
    with ModelServer(replies, pick="depth", after="repeat") as model:
        daedal.env.update(model.env())
        assert daedal("exec", PROMPT, "--approval", "yolo", "--no-sandbox").code == -signal.SIGKILL
        go_on(daedal)
        told_to_model = model.requests[-1].json["messages"][-1]["content"][0]
    assert (daedal.workspace / "effects.log").read_text() == "hit\n"
    assert told_to_model["type"] == "tool_result"
    assert told_to_model["content"].startswith(UNKNOWN)
