"""Does the main job run with nothing configured?"""

import os
import subprocess
from pathlib import Path

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

ROOT = Path(__file__).parents[2]


@requirement("DX-01", "AU-01", "DX-05")
def test_the_demo_delivers_a_specification_and_what_it_made_works(daedal: Daedal, tmp_path: Path):
    made = tmp_path / "roman"
    run = daedal("demo", "--keep", str(made))
    assert run.code == 0, run.err + run.out
    for part in (
        "recorded",
        "[NEW] A number becomes a Roman numeral (ROMAN-001)",
        "set_status ROMAN-001 passed → refused: ROMAN-001 is not passed yet.",
        "[STALE] A number becomes a Roman numeral (ROMAN-001)",
        "[PASS] A number becomes a Roman numeral (ROMAN-001), verified again",
        "Overall: 3 session(s), 3/3 deliverables passed, cost=$0.0000",
        "$ python3 roman.py 2026\nMMXXVI\n",
    ):
        assert part in run.out
    tests = subprocess.run(["python3", "-m", "unittest", "-q"], cwd=made, capture_output=True, text=True)
    assert tests.returncode == 0, tests.stderr
    assert "Ran 4 tests" in tests.stderr
    read = subprocess.run(["python3", "roman.py", "MMXXVI"], cwd=made, capture_output=True, text=True)
    assert read.stdout == "2026\n"
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=made, capture_output=True, text=True).stdout
    assert changed == ""


@requirement("DX-01")
def test_what_the_demo_did_can_be_looked_at_further(daedal: Daedal, tmp_path: Path):
    made = tmp_path / "roman"
    assert daedal("demo", "--keep", str(made)).code == 0
    assert daedal.rows("SELECT status FROM turns WHERE status != 'completed'") == []
    assert daedal("status", "--project-dir", str(made), "--json").json["passed"] == 3
    assert "the chain is whole" in daedal("receipts", "verify").out
    again = daedal("demo", "--keep", str(made))
    assert again.code == 2
    assert "not an empty folder" in again.err


@requirement("DX-01")
def test_the_one_door_for_work_shows_the_demo_with_no_variable_set(tmp_path: Path):
    bare = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run([ROOT / "dev", "demo"], env=bare, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "3/3 deliverables passed" in done.stdout
    assert (tmp_path / ".daedal" / "daedal.db").exists()


def test_the_one_door_says_what_it_can_do_and_refuses_the_rest(tmp_path: Path):
    helped = subprocess.run([ROOT / "dev"], capture_output=True, text=True, cwd=tmp_path)
    for command in ("demo", "test", "setup", "bench", "fmt"):
        assert f"./dev {command}" in helped.stdout
    assert subprocess.run([ROOT / "dev", "dance"], capture_output=True).returncode == 2
    assert 'dev" test' in (ROOT / ".ci" / "run").read_text()
