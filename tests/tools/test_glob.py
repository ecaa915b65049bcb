"""Are files found by their names, the oldest first?"""

import asyncio
import os
import tracemalloc
from pathlib import Path

import pytest

from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("SD-16/Glob")


def found(desk: Desk, **arguments: str) -> list[str]:
    outcome = desk.do("Glob", **arguments)
    assert not outcome.is_error, outcome.content
    return outcome.content.split("\n")


@pytest.fixture
def tree(desk: Desk) -> Desk:
    desk.put("main.py", "", mtime=300)
    desk.put("src/app.py", "", mtime=200)
    desk.put("src/deep/main.py", "", mtime=100)
    desk.put("src/deep/page.tsx", "", mtime=50)
    desk.put(".hidden/h.py", "", mtime=400)
    desk.put("node_modules/m.py", "", mtime=500)
    desk.put(".gitignore", "node_modules\n", mtime=1)
    desk.put(".git/config.py", "")
    return desk


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.py", ["src/deep/main.py", "src/app.py", "main.py", ".hidden/h.py", "node_modules/m.py"]),
        ("**/*.py", ["src/deep/main.py", "src/app.py", "main.py", ".hidden/h.py", "node_modules/m.py"]),
        ("main.py", ["src/deep/main.py", "main.py"]),
        ("./main.py", ["main.py"]),
        ("src/*.py", ["src/app.py"]),
        ("src/**/*.py", ["src/deep/main.py", "src/app.py"]),
        ("src/**", ["src/deep/page.tsx", "src/deep/main.py", "src/app.py"]),
        ("**/deep/*.{ts,tsx}", ["src/deep/page.tsx"]),
        ("src/deep/main.py", ["src/deep/main.py"]),
        ("src/../main.py", ["main.py"]),
        ("[ab]pp.py", ["src/app.py"]),
        (".git/*.py", [".git/config.py"]),
        ("!*.py", ["No files found"]),
        ("nothing/here/*.py", ["No files found"]),
        ("src/", ["No files found"]),
    ],
)
def test_a_pattern_finds_what_it_says(tree: Desk, pattern: str, expected: list[str]):
    assert found(tree, pattern=pattern) == expected


def test_an_absolute_pattern_and_a_folder_are_shown_relative_where_they_can_be(tree: Desk, tmp_path: Path):
    assert found(tree, pattern=f"{tree.root}/src/**/*.py") == ["src/deep/main.py", "src/app.py"]
    assert found(tree, pattern="*.py", path="src") == ["src/deep/main.py", "src/app.py"]
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.py").touch()
    assert found(tree, pattern="*.py", path="../outside") == [str(tmp_path / "outside" / "x.py")]
    assert found(tree, pattern="../outside/*.py") == [str(tmp_path / "outside" / "x.py")]
    tree.cwd = str(tree.root / "src")
    assert found(tree, pattern="*.tsx") == ["deep/page.tsx"]


def test_more_than_a_hundred_are_cut_and_counted(desk: Desk):
    for number in range(130):
        desk.put(f"f{number:03}", "", mtime=1000 - number)
    lines = found(desk, pattern="f*")
    assert lines[:2] == ["f129", "f128"]
    assert len(lines) == 101
    assert lines[-1] == "(100 of 130 files, those changed longest ago; narrow the pattern)"


def test_ten_thousand_files_take_little_memory(desk: Desk):
    root = desk.root
    for folder in range(20):
        (root / str(folder)).mkdir()
        for number in range(500):
            os.close(os.open(f"{root}/{folder}/{number}", os.O_CREAT))
    os.utime(root / "7" / "77", (5, 5))
    tracemalloc.start()
    lines = found(desk, pattern="**/*")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines[0] == "7/77"
    assert lines[-1].startswith("(100 of 10000 files")
    assert peak < 2_500_000


def test_strange_names_are_found(desk: Desk):
    for name in (b"two\nlines.py", b"caf\xe9.py", b"-dash.py", b"!bang.py"):
        (desk.root / os.fsdecode(name)).touch()
    content = desk.do("Glob", pattern="*.py").content
    assert {"caf�.py", "-dash.py", "!bang.py"} <= set(content.split("\n"))
    assert found(desk, pattern="!bang.py") == ["!bang.py"]
    assert found(desk, pattern="-*.py") == ["-dash.py"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"pattern": "["}, "unclosed character class"),
        ({"pattern": ""}, "must be a glob pattern"),
        ({"pattern": "a\0b"}, "must be a glob pattern"),
        ({"pattern": "*", "path": "nowhere"}, "Directory does not exist"),
        ({"pattern": "*", "path": "file"}, "Directory is not a directory"),
    ],
)
def test_what_cannot_be_searched_is_told(desk: Desk, arguments: dict[str, str], said: str):
    desk.put("file", "")
    outcome = desk.do("Glob", **arguments)
    assert outcome.is_error
    assert said in outcome.content


def test_the_folder_of_a_call_is_its_path(desk: Desk, tmp_path: Path):
    root = str(desk.root)
    assert desk.paths("Glob", pattern="*.py") == [root]
    assert desk.paths("Glob", pattern="src/**/*.py") == [f"{root}/src"]
    assert desk.paths("Glob", pattern="/etc/*.conf") == ["/etc"]
    assert desk.paths("Glob", pattern="/*") == ["/"]
    assert desk.paths("Glob", pattern="../x/*.py") == [str(tmp_path / "x")]
    assert desk.paths("Glob", pattern="*.py", path="/etc") == ["/etc"]
    assert desk.paths("Glob", pattern="*/../../x") == [root]
    assert desk.paths("Glob", pattern="*", path=os.path.join("~", "x")) == [os.path.expanduser("~/x")]
    assert desk.paths("Glob", pattern=5, path=["x"]) == [root]
    assert desk.paths("Glob", pattern="\0/x") == []


def test_a_cancelled_search_leaves_no_process(desk: Desk):
    async def scenario() -> None:
        task = asyncio.create_task(desk.call("Glob", pattern="**/*", path="/"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    desk.run(scenario())
    assert _searches(desk) == []


def _searches(desk: Desk) -> list[str]:
    """Processes of ripgrep that this process started."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [pid for pid in children if b"rg\0" in Path(f"/proc/{pid}/cmdline").read_bytes()]
