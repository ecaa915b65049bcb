"""Does it hold at any instant, not only at commits? The process is killed at random moments, many times over."""

import random
import subprocess
from pathlib import Path

import pytest

from tests.crash.story import PLAN, PROMPT, aftermath, compare, edit_can_be_undone, go_on, new_world, told
from tests.toolbox.model_server import ModelServer
from tests.toolbox.requirement import requirement

ROUNDS = 60
LONGEST_S = 0.5


@pytest.mark.long
@pytest.mark.timeout(600)
@requirement("DX-04")
def test_killed_at_random_moments_the_resumed_run_equals_an_undisturbed_one(tmp_path: Path):
    undisturbed = new_world(tmp_path / "undisturbed")
    assert not told(undisturbed)
    expected = aftermath(undisturbed)
    moments = random.Random(4711)
    for number in range(ROUNDS):
        daedal = new_world(tmp_path / str(number))
        with ModelServer(PLAN, pick="depth", after="repeat") as model:
            daedal.env.update(model.env())
            process = daedal.start("exec", PROMPT, "--approval", "yolo")
            try:
                process.communicate(timeout=moments.uniform(0, LONGEST_S))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            go_on(daedal)
        compare(aftermath(daedal), expected)
        edit_can_be_undone(daedal)
