"""Does the main job run with nothing configured?"""

import os
import subprocess
from pathlib import Path

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

ROOT = Path(__file__).parents[2]


@requirement("DX-01")
def test_the_demo_finds_the_bug_fixes_it_and_shows_what_was_done(daedal: Daedal, tmp_path: Path):
    run = daedal("demo", "--keep", str(tmp_path / "shop"))
    assert run.code == 0, run.err
    for part in (
        "recorded",
        "tests before: FAILED",
        "tests after: OK",
        "+    return -(-items // per_page)",
        "exit code 0",
    ):
        assert part in run.out
    changed = subprocess.run(["git", "diff", "--stat"], cwd=tmp_path / "shop", capture_output=True, text=True).stdout
    assert "shop.py" in changed
    assert daedal.rows("SELECT status FROM turns") == [("completed",)]
    assert f"daedal sessions show {daedal.session}" in run.out
    assert "Edit" in daedal("sessions", "show", daedal.session).out
    again = daedal("demo", "--keep", str(tmp_path / "shop"))
    assert again.code == 2
    assert "not an empty folder" in again.err


@requirement("DX-01")
def test_the_one_door_for_work_shows_the_demo_with_no_variable_set(tmp_path: Path):
    bare = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run([ROOT / "dev", "demo"], env=bare, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "tests after: OK" in done.stdout
    assert (tmp_path / ".daedal" / "daedal.db").exists()


def test_the_one_door_says_what_it_can_do_and_refuses_the_rest(tmp_path: Path):
    helped = subprocess.run([ROOT / "dev"], capture_output=True, text=True, cwd=tmp_path)
    for command in ("demo", "test", "setup", "bench", "fmt"):
        assert f"./dev {command}" in helped.stdout
    assert subprocess.run([ROOT / "dev", "dance"], capture_output=True).returncode == 2
    assert 'dev" test' in (ROOT / ".ci" / "run").read_text()
