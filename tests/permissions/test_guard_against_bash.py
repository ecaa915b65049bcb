"""Does what the guard allows stay inside when the real bash runs it?

Only builtins can run, in a folder of the test's own: there is no PATH, and `rm` is a function that writes down what it
was given.
"""

import os
import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daedal.permissions import Guard
from daedal.protocol.verdict import Verdict
from tests.toolbox.requirement import requirement

MOVES = ["cd src", "cd ..", "cd nosuch", "cd src/deep", "cd ../src", "cd .daedal", "cd $x", "true", "false"]
VARIABLES = [
    "x=..",
    "x=a",
    "x=src",
    "x=.daedal",
    "x+=/..",
    "x=$(echo ..)",
    "read x <<< ..",
    "export x=..",
    "unset x",
    "y=$x",
]
REMOVALS = ["rm a", "rm ../a", "rm ../../a", "rm $x/a", 'rm "$x"', "rm {a,../b}", "rm $PWD/../a", "rm ${y}a", "rm ~/a"]
WRITES = [
    f"echo hi {target}" for target in ("> a", "> ../a", "> $x/a", "> .daedal/a", ">> $PWD/.daedal/a", "> ${x}.daedal/a")
]
ATOMS = st.sampled_from(MOVES * 2 + VARIABLES + REMOVALS + WRITES)
JOINTS = st.sampled_from([" && ", " || ", "; ", " | ", "\n", " & "])
FRAMES = st.sampled_from(
    [
        "({})",
        "{{ {}; }}",
        "if {}; then true; fi",
        "if true; then {}; fi",
        "for x in a ..; do {}; done",
        "for i in 1 2; do {}; done",
        "! {}",
        "echo $({})",
        "{{ {}; }} > $x/a",
        "case a in a) {};; esac",
    ]
)


@st.composite
def lines(draw: st.DrawFn, depth: int = 2) -> str:
    def part() -> str:
        return draw(FRAMES).format(draw(lines(depth - 1))) if depth and draw(st.booleans()) else draw(ATOMS)

    line = part()
    for _ in range(draw(st.integers(0, 2))):
        line += draw(JOINTS) + part()
    return line


def tree(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


@requirement("AU-14", "AU-16", "AU-17")
@given(line=lines())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_outside_is_removed_and_the_state_folder_stays_as_it_was(line: str, tmp_path: Path):
    project, home, log = tmp_path / "srv" / "project", tmp_path / "home", tmp_path / "log"
    guard = Guard(profile="run", project=str(project), home=str(home), allow_destructive=True)
    if guard.decide(line, str(project)).verdict is not Verdict.ALLOW:
        return
    (project / "src" / "deep").mkdir(parents=True, exist_ok=True)
    (project / ".daedal").mkdir(exist_ok=True)
    log.write_text("")
    before = tree(project / ".daedal")
    function = 'rm() { for each; do printf "%s\\0%s\\0" "$PWD" "$each" >>"$LOG"; done; }\n'
    subprocess.run(
        ["/bin/bash", "--norc", "--noprofile", "-c", f'{function}eval "$1"\nwait', "bash", line],
        cwd=project,
        env={"PATH": "/nonexistent", "HOME": str(home), "LOG": str(log)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    given_to_rm = log.read_text().split("\0")[:-1]
    for folder, operand in zip(given_to_rm[::2], given_to_rm[1::2], strict=True):
        assert os.path.normpath(f"{folder}/{operand}").startswith(f"{project}/"), line
    assert tree(project / ".daedal") == before, line
