"""Does the quick way to start ever show? What is loaded or read quickly must be what the slow way would give."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import daedal as package
from daedal.cli.exec import OPTIONS, parser
from daedal.cli.options import Options, read_plainly
from tests.toolbox.model_server import ModelServer, say
from tests.toolbox.program import Daedal

Model = Callable[..., ModelServer]
WORDS = "src/daedal/protocol/catalogue/en/cli/sessions.py"


@pytest.fixture
def copy(daedal: Daedal, tmp_path: Path) -> Path:
    """A copy of the program that a test may change, started in its folder."""
    folder = tmp_path / "copy"
    shutil.copytree(
        os.path.dirname(package.__file__), folder / "src" / "daedal", ignore=shutil.ignore_patterns("__pycache__")
    )
    daedal.env |= {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": ""}
    return folder


def bundles(copy: Path) -> list[Path]:
    return list((copy / "src/daedal/__pycache__").glob("together.*"))


def test_modules_of_ours_come_from_one_file_after_the_first_start(daedal: Daedal, copy: Path):
    first = daedal("sessions")
    (bundle,) = bundles(copy)
    written = bundle.stat().st_mtime_ns
    # Without Python's own cache, whatever still loads at once came from the file.
    for cached in copy.rglob("*.pyc"):
        if cached.name.partition(".")[0] not in ("__init__", "__main__", "main", "bundle"):
            cached.unlink()
    second = daedal("sessions")
    assert (second.code, second.out, second.err) == (first.code, first.out, first.err) == (0, first.out, "")
    assert not list((copy / "src/daedal/ledger/__pycache__").glob("ledger.*"))
    assert bundle.stat().st_mtime_ns == written


def test_a_changed_source_is_loaded_as_it_is_now(daedal: Daedal, copy: Path):
    before = daedal("sessions").out
    words = copy / WORDS
    words.write_text(words.read_text().replace(before.strip(), "Nothing yet, says the new version."))
    assert daedal("sessions").out == "Nothing yet, says the new version.\n"
    assert daedal("sessions").out == "Nothing yet, says the new version.\n"


@pytest.mark.parametrize("damage", [b"", b"\0" * 100, b"half a file", None])
def test_a_damaged_file_is_as_good_as_none(daedal: Daedal, copy: Path, damage: bytes | None):
    first = daedal("sessions")
    (bundle,) = bundles(copy)
    bundle.write_bytes(bundle.read_bytes()[:-1000] if damage is None else damage)
    again = daedal("sessions")
    assert (again.code, again.out, again.err) == (first.code, first.out, first.err)


def test_nothing_is_written_where_python_was_told_not_to(daedal: Daedal, copy: Path):
    assert daedal("sessions", PYTHONDONTWRITEBYTECODE="1").code == 0
    assert bundles(copy) == []


def test_an_installation_that_cannot_be_written_works(daedal: Daedal, copy: Path):
    (copy / "src/daedal/__pycache__").write_text("a file where Python wants a folder")
    done = daedal("sessions")
    assert (done.code, done.err) == (0, "")


USES = """
import sys, threading
from daedal.cli.postponing import POSTPONED, postpone
for name in POSTPONED:  # the interpreter that runs this may have loaded some
    sys.modules.pop(name, None)
postpone()
import inspect, linecache, locale, platform, textwrap
before = platform.system()
answers = []
def use():
    answers.append((inspect.isfunction(use), linecache.getline("nowhere", 1), textwrap.dedent("  x"), before))
threads = [threading.Thread(target=use) for _ in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(answers) == 20 and set(answers) == {(True, "", "x", "Linux" if sys.platform == "linux" else before)}, answers
assert platform.machine() and platform.system() == before and locale.getlocale
try:
    inspect.nothing
except AttributeError as missing:
    print(missing)
assert not any("__getattr__" in vars(sys.modules[name]) for name in POSTPONED)
"""


def test_what_waits_is_complete_as_soon_as_somebody_uses_it(daedal: Daedal):
    daedal.program = [sys.executable, "-c", USES]
    done = daedal()
    assert (done.code, done.err, done.out) == (0, "", "module 'inspect' has no attribute 'nothing'\n")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="later versions of Python load other modules")
def test_nothing_that_only_mistakes_need_is_loaded_before_the_first_answer(daedal: Daedal, model: Model):
    model([say("Hello.")])
    daedal.program = [sys.executable, "-X", "importtime", "-m", "daedal"]
    done = daedal("exec", "Greet me.")
    assert done.out == "Hello.\n"
    loaded = {line.rpartition("|")[2].strip() for line in done.err.splitlines() if line.startswith("import time:")}
    assert {"asyncio", "msgspec._core"} < loaded
    assert not loaded & {"ast", "dis", "inspect", "linecache", "locale", "platform", "textwrap", "tokenize"}


PIECES = [
    "-p",
    "--print",
    "-c",
    "--model",
    "x",
    "-",
    "--max-turns",
    "3",
    "0",
    "--approval",
    "yolo",
    "no",
    "--no-sandbox",
]
PIECES += ["-C", "folder", "--output-format", "json", "a prompt", "--", "-r", "--resume=1", "-pX", "--max-budget-usd"]


@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_what_is_read_plainly_is_what_argparse_reads(words: list[str]):
    plainly = read_plainly(OPTIONS, words)
    if plainly is not None:
        assert vars(plainly) == vars(parser().parse_args(words, Options()))


def test_a_plain_command_line_needs_no_argparse():
    plainly = read_plainly(OPTIONS, ["fix it", "--model", "haiku", "--max-turns", "5", "-C", "here", "--no-sandbox"])
    assert plainly is not None
    assert (plainly.prompt, plainly.model, plainly.max_turns, plainly.no_sandbox) == ("fix it", "haiku", 5, True)


def test_the_program_of_these_tests_is_the_copy(daedal: Daedal, copy: Path):
    code = "import daedal; print(daedal.__file__)"
    daedal.program = [sys.executable, "-c", code]
    assert daedal().out.startswith(str(copy))
