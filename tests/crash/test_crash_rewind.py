"""Does a rewind survive that the plug is pulled? Repeated, it comes to its end, and undone, everything is back."""

import os
import signal
from pathlib import Path

import pytest

from tests.crash.story import KILLER, NOTES, new_world
from tests.toolbox.model_server import ModelServer, call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

PLAN = [
    call("Read", file_path="notes.txt"),
    calls(
        ("Edit", {"file_path": "notes.txt", "old_string": "one", "new_string": "1"}),
        ("Write", {"file_path": "made/new.txt", "content": "new\n"}),
    ),
    say("All done."),
]


def files_of(daedal: Daedal) -> dict[str, str]:
    found = sorted(path for path in daedal.workspace.rglob("*") if path.is_file())
    return {str(path.relative_to(daedal.workspace)): path.read_text() for path in found}


@requirement("DX-04", "DX-07")
@pytest.mark.parametrize("where", ["before", pytest.param("after", marks=pytest.mark.long)])
def test_a_rewind_that_was_cut_off_can_be_repeated_and_undone(where: str, tmp_path: Path):
    daedal = new_world(tmp_path)
    with ModelServer(PLAN) as model:
        daedal.env.update(model.env())
        assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    changed = files_of(daedal)
    assert set(changed) == {"notes.txt", "made/new.txt"}
    session = daedal.session
    kills = 0
    for number in range(1, 20):
        extra = {"PYTHONPATH": f"{KILLER}:{os.environ.get('PYTHONPATH', '')}", "KILL_AT": f"{where}:{number}"}
        cut_off = daedal("sessions", "rewind", session, "--before", "1", **extra)
        if cut_off.code != -signal.SIGKILL:
            assert cut_off.code == 0, cut_off.err
            break
        kills += 1
        done = daedal("sessions", "rewind", session, "--before", "1", "--json")
        assert done.json["kept"] == []
        assert files_of(daedal) == {"notes.txt": NOTES}
        points = daedal("sessions", "rewind", session, "--json").json
        first_rewind = next(point["turnId"] for point in points if point["kind"] == "rewind")
        undone = daedal("sessions", "rewind", session, "--before", first_rewind, "--json")
        assert undone.json["kept"] == []
        assert files_of(daedal) == changed
    assert kills >= 2
