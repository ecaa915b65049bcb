from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bench.contestants import Call, Contestant, daedal, floor
from bench.runs import Failed, run
from bench.scratch import Scratch


@pytest.mark.parametrize("make", [floor, daedal])
@pytest.mark.parametrize("work", ["read", "shell"])
def test_a_run_has_one_request_per_step_and_one_for_the_answer(
    tmp_path: Path, make: Callable[[Scratch], Contestant], work: str
) -> None:
    scratch = Scratch(tmp_path)
    contestant = make(scratch)
    done = run(contestant, scratch, contestant.calls[work], steps=3, deltas=20)
    assert len(done.seen) == 4
    assert len(done.steps_ms) == 3
    assert done.spawned_ns < done.seen[0].first_ns < done.seen[-1].answered_ns < done.ended_ns


def test_a_contestant_that_fails_says_what_it_printed(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    broken = replace(floor(scratch), argv=lambda _: ["sh", "-c", "echo out of cheese >&2; exit 3"])
    with pytest.raises(Failed, match=r"ended with 3 after 0 of 1 requests\nit printed: out of cheese"):
        run(broken, scratch, broken.calls["read"])


def test_a_run_whose_calls_did_not_work_does_not_count(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    with pytest.raises(Failed, match="did not send the file's content back"):
        run(floor(scratch), scratch, Call("Bash", {"command": "cat nowhere.txt"}), steps=2)
