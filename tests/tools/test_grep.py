"""Is text found in files, in all three ways to show it?"""

from pathlib import Path

import pytest

from daedal.protocol.seams import Finish
from daedal.tools import Refused
from daedal.tools.ripgrep import shortcoming
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("SD-16/Grep")


@pytest.fixture
def tree(desk: Desk) -> Desk:
    desk.put("a.py", "import os\ndef alpha():\n    return os\n", mtime=100)
    desk.put("src/b.py", "def beta():\n    pass\n", mtime=300)
    desk.put("src/c.txt", "def in text\nDEF\n", mtime=200)
    desk.put(".hidden.py", "def hidden(): ...\n", mtime=50)
    desk.put(".git/d.py", "def innards(): ...\n")
    return desk


def text(desk: Desk, **arguments: object) -> str:
    outcome = desk.do("Grep", **arguments)
    assert not outcome.is_error, outcome.content
    return outcome.content


def test_files_come_newest_first(tree: Desk):
    assert text(tree, pattern="def ") == "Found 4 files\nsrc/b.py\nsrc/c.txt\na.py\n.hidden.py"


def test_files_are_paged_with_their_total(tree: Desk):
    assert text(tree, pattern="def ", head_limit=2) == "Found 4 files, showing 2 (limit: 2)\nsrc/b.py\nsrc/c.txt"
    assert text(tree, pattern="def ", head_limit=2, offset=3) == (
        "Found 4 files, showing 1 (limit: 2, offset: 3)\n.hidden.py"
    )
    assert text(tree, pattern="def ", head_limit=0).startswith("Found 4 files\n")


def test_content_comes_with_path_and_line(tree: Desk):
    assert text(tree, pattern=r"def \w+\(", output_mode="content") == (
        ".hidden.py:1:def hidden(): ...\na.py:2:def alpha():\nsrc/b.py:1:def beta():"
    )


def test_content_of_one_file_comes_without_its_path(tree: Desk):
    assert text(tree, pattern="os", path="a.py", output_mode="content") == "1:import os\n3:    return os"
    assert text(tree, pattern="os", path="a.py", output_mode="content", **{"-n": False}) == ("import os\n    return os")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"-A": 1}, "2:def alpha():\n3-    return os"),
        ({"-B": 1}, "1-import os\n2:def alpha():"),
        ({"-C": 1}, "1-import os\n2:def alpha():\n3-    return os"),
        ({"context": "1"}, "1-import os\n2:def alpha():\n3-    return os"),
        ({"context": 9, "-C": 0}, "2:def alpha():"),
        ({"-o": True}, "2:alpha"),
        ({"-i": True, "pattern": "ALPHA"}, "2:def alpha():"),
        ({"multiline": True, "pattern": r"alpha.*return"}, "2:def alpha():\n3:    return os"),
    ],
)
def test_options_of_ripgrep_are_passed_on(tree: Desk, options: dict[str, object], expected: str):
    assert text(tree, **{"pattern": "alpha", "path": "a.py", "output_mode": "content", **options}) == expected


def test_counts_come_with_a_total(tree: Desk):
    assert text(tree, pattern="(?i)def", output_mode="count") == (
        ".hidden.py:1\na.py:1\nsrc/b.py:1\nsrc/c.txt:2\nFound 5 matching lines in 4 files"
    )
    assert text(tree, pattern="(?i)def", output_mode="count", head_limit=1, offset=1) == (
        "a.py:1\nFound 5 matching lines in 4 files, showing 1 file (limit: 1, offset: 1)"
    )
    assert text(tree, pattern="os", output_mode="count", path="a.py") == "a.py:2\nFound 2 matching lines in 1 file"


def test_files_are_narrowed_by_glob_and_type(tree: Desk):
    assert text(tree, pattern="def", glob="*.txt") == "Found 1 file\nsrc/c.txt"
    assert text(tree, pattern="def", glob="*.{txt,md}") == "Found 1 file\nsrc/c.txt"
    assert text(tree, pattern="def", glob="src/*.py, *.txt") == "Found 2 files\nsrc/b.py\nsrc/c.txt"
    assert text(tree, pattern="def", glob="!*.py") == "Found 1 file\nsrc/c.txt"
    assert text(tree, pattern="def", type="py", path="src") == "Found 1 file\nsrc/b.py"


def test_a_folder_outside_shows_absolute_paths(tree: Desk, tmp_path: Path):
    (tmp_path / "out" / "sub").mkdir(parents=True)
    (tmp_path / "out" / "sub" / "x.py").write_text("needle\n")
    assert text(tree, pattern="needle", path="../out") == f"Found 1 file\n{tmp_path}/out/sub/x.py"
    assert text(tree, pattern="needle", path=str(tmp_path / "out"), glob="sub/*.py").startswith("Found 1 file")
    assert text(tree, pattern="needle", path="../out/sub/x.py", output_mode="content") == "1:needle"


def test_ignored_files_are_left_out_in_a_repository_and_innards_are_searched_only_on_request(tree: Desk):
    tree.put(".gitignore", "c.txt\n")
    assert "c.txt" not in text(tree, pattern="def")
    assert text(tree, pattern="innards") == "No files found"
    assert text(tree, pattern="innards", path=".git") == "Found 1 file\n.git/d.py"


@pytest.mark.parametrize(
    ("mode", "said"),
    [("files_with_matches", "No files found"), ("content", "No matches found"), ("count", "No matches found")],
)
def test_finding_nothing_is_no_error(tree: Desk, mode: str, said: str):
    assert text(tree, pattern="zzz", output_mode=mode) == said


@pytest.mark.parametrize("mode", ["files_with_matches", "content", "count"])
@pytest.mark.parametrize("ignored", [[], [".ignore", "a.txt"]], ids=["empty", "ignored"])
def test_where_there_is_nothing_to_search_nothing_is_found(desk: Desk, mode: str, ignored: list[str]):
    for name in ignored:
        desk.put(name, "*\n")
    said = text(desk, pattern="x", output_mode=mode)
    assert said.startswith("No ")
    assert "found\n(no file was searched: there is none, or all are ignored" in said


def test_what_kept_ripgrep_from_searching_anything_is_told_without_its_wondering():
    stderr = (
        b"rg: ./closed: Permission denied (os error 13)\n"
        b"rg: No files were searched, which means ripgrep probably applied a filter you didn't expect.\n"
        b"Running with --debug will show why files are being skipped.\n"
    )
    with pytest.raises(Refused, match=r"^ripgrep failed: rg: ./closed: Permission denied \(os error 13\)$"):
        shortcoming(Finish(exit_code=2, stdout=b"", stderr=stderr), found=False)


def test_content_stops_at_its_limit_and_says_so(desk: Desk):
    desk.put("many", "hit\n" * 100_000)
    lines = text(desk, pattern="hit", output_mode="content").split("\n")
    assert len(lines) == 251
    assert lines[-1] == "[Showing results with pagination = limit: 250]"
    page = text(desk, pattern="hit", output_mode="content", head_limit=2, offset=10)
    assert page == "many:11:hit\nmany:12:hit\n[Showing results with pagination = limit: 2, offset: 10]"
    past = text(desk, pattern="hit", output_mode="content", offset=200_000)
    assert past == "No matches found at offset 200000: there are only 100000 lines"


def test_exactly_as_many_lines_as_the_limit_are_all_there_is(desk: Desk):
    desk.put("few", "hit\n" * 3)
    assert text(desk, pattern="hit", output_mode="content", head_limit=3) == "few:1:hit\nfew:2:hit\nfew:3:hit"


def test_without_a_limit_the_size_is_the_limit(desk: Desk):
    desk.put("many", ("x" * 400 + "\n") * 5000)
    content = text(desk, pattern="x", output_mode="content", head_limit=0)
    assert 1_000_000 < len(content) <= 1_048_576 + 20
    assert content.endswith("\n[SDLC_TRUNCATED]")


def test_long_lines_are_left_out_with_a_mark(desk: Desk):
    desk.put("minified", "x" * 5000 + "\n")
    assert text(desk, pattern="x", output_mode="content") == "minified:1:[Omitted long matching line]"


def test_patterns_that_look_like_options_are_patterns(desk: Desk):
    desk.put("a", "--files\n-e\n")
    assert text(desk, pattern="--files", output_mode="content") == "a:1:--files"
    assert text(desk, pattern="-e", path="a", output_mode="content") == "2:-e"
    desk.put("-dash", "here\n")
    assert text(desk, pattern="here", path="-dash", output_mode="content") == "1:here"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"pattern": "("}, "unclosed group"),
        ({"pattern": "a", "path": "nowhere"}, "Path does not exist"),
        ({"pattern": "a", "type": "klingon"}, "unrecognized file type"),
        ({"pattern": "a", "glob": "["}, "unclosed character class"),
        ({"pattern": "a\0b"}, "NUL byte"),
        ({"pattern": "a", "path": "a\0b"}, "not a usable path"),
    ],
)
def test_what_cannot_be_searched_is_told(desk: Desk, arguments: dict[str, str], said: str):
    for mode in ("content", "count", "files_with_matches"):
        outcome = desk.do("Grep", output_mode=mode, **arguments)
        assert outcome.is_error
        assert said in outcome.content


def test_the_place_of_a_call_is_its_path(desk: Desk):
    assert desk.paths("Grep", pattern="x") == [str(desk.root)]
    assert desk.paths("Grep", pattern="x", path="/etc") == ["/etc"]
    assert desk.paths("Grep", pattern="x", path=7) == [str(desk.root)]
    assert desk.paths("Grep") == [str(desk.root)]
