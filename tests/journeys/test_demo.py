"""Does the main job run with nothing configured?"""

import os
import subprocess
from pathlib import Path

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

ROOT = Path(__file__).parents[2]


@requirement("DX-01", "AU-01", "DX-05")
def test_the_demo_delivers_a_specification_with_no_variable_set_and_what_it_made_works(daedal: Daedal, tmp_path: Path):
    made = tmp_path / "roman"
    bare = {"HOME": str(daedal.home), "PATH": os.environ["PATH"]}
    run = subprocess.run([ROOT / "dev", "demo", "--keep", made], env=bare, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr + run.stdout
    for part in (
        "recorded",
        "[NEW] A number becomes a Roman numeral (ROMAN-001)",
        "set_status ROMAN-001 passed → refused: ROMAN-001 is not passed yet.",
        "[STALE] A number becomes a Roman numeral (ROMAN-001)",
        "[PASS] A number becomes a Roman numeral (ROMAN-001), verified again",
        "Overall: 3 session(s), 3/3 deliverables passed, cost=$0.0000",
        "$ python3 roman.py 2026\nMMXXVI\n",
    ):
        assert part in run.stdout
    tests = subprocess.run(["python3", "-m", "unittest", "-q"], cwd=made, capture_output=True, text=True)
    assert tests.returncode == 0, tests.stderr
    assert "Ran 4 tests" in tests.stderr
    read = subprocess.run(["python3", "roman.py", "MMXXVI"], cwd=made, capture_output=True, text=True)
    assert read.stdout == "2026\n"
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=made, capture_output=True, text=True).stdout
    assert changed == ""
    # And what it did can be looked at further.
    assert daedal.rows("SELECT status FROM turns WHERE status != 'completed'") == []
    assert daedal("status", "--project-dir", str(made), "--json").json["passed"] == 3
    assert "the chain is whole" in daedal("receipts", "verify").out
    again = daedal("demo", "--keep", str(made))
    assert again.code == 2
    assert "not an empty folder" in again.err


def test_the_one_door_says_what_it_can_do_and_refuses_the_rest(tmp_path: Path):
    helped = subprocess.run([ROOT / "dev"], capture_output=True, text=True, cwd=tmp_path)
    for command in ("demo", "test", "setup", "bench", "fmt"):
        assert f"./dev {command}" in helped.stdout
    assert subprocess.run([ROOT / "dev", "dance"], capture_output=True).returncode == 2
    assert 'dev" test' in (ROOT / ".ci" / "run").read_text()
