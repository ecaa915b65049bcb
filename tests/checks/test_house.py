"""Is the house as it is drawn? Its rooms, what they say of themselves, and how they reach one another."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator

from tests.checks.sources import PACKAGE, ROOT, Module, modules, parsed
from tests.toolbox.requirement import requirement

DRAWN = """
doors     cli tui web editor
drivers   autopilot delivery network fleet
desk      app server client guests
core      engine phases permissions
limbs     tools providers mcp
machine   ledger hooks sandbox
ground    config protocol
"""
ROOMS = {room for floor in DRAWN.splitlines() for room in floor.split()[1:]}
CORE = {"engine", "phases", "permissions", "protocol"}
INFRASTRUCTURE = {"tools", "providers", "mcp", "ledger", "hooks", "sandbox", "config"}
LINES_MAX = 400
SOMEONES_MACHINE = re.compile(r"(?<![\w.~$}*-])/(?:work|root|(?:home|Users)/(?!(?:u|ada|user)\b)\w+)/\w")
"""A home of `u`, `ada` or `user` is nobody's, and may stand for any."""
WRITTEN = ("src", "docs", "tests", "bench")
TEXT = {".py", ".md", ".json", ".jsonl", ".toml", ".sh", ".sql", ".txt", ".svg"}
ALL = modules()


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Each daedal module that this one names in an import statement, as written, wherever the statement stands."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.startswith("daedal"))
        elif isinstance(node, ast.ImportFrom):
            here = module.name.split(".") if module.is_package else module.name.split(".")[:-1]
            base = ".".join(here[: len(here) - node.level + 1]) if node.level else ""
            source = ".".join(filter(None, [base, node.module]))
            if source == "daedal":
                # `from daedal import ledger` names a room as much as `import daedal.ledger` does.
                yield from ((node.lineno, f"daedal.{name.name}") for name in node.names if name.name in ROOMS)
            elif source.startswith("daedal."):
                yield node.lineno, source


def reached_into(module: Module) -> list[str]:
    """Imports that go past another room's door."""
    return [
        f"{module.place}:{line}: {name}"
        for line, name in imports(module)
        if len(name.split(".")) > 2 and name.split(".")[1] not in (module.room, "protocol")
    ]


def test_every_room_that_is_drawn_exists_and_no_other():
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == ROOMS


def test_every_room_opens_with_the_question_it_answers():
    silent = [
        module.place
        for module in parsed(ALL)
        if module.is_package and module.name.count(".") == 1 and "?" not in (ast.get_docstring(module.tree) or "")
    ]
    assert not silent, silent


def test_every_module_says_what_it_is():
    silent = [module.place for module in parsed(ALL) if not ast.get_docstring(module.tree)]
    assert not silent, silent


def test_no_file_is_longer_than_a_person_reads():
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]
    counts = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in files}
    assert {place: count for place, count in counts.items() if count > LINES_MAX} == {}


EACH_ROOM_AFRESH = """
import os, sys
from importlib import import_module
from types import ModuleType

import acp, mcp, uvicorn  # Others' packages: they take longest to load, and are not what is asked about.

assert not [name for name in sys.modules if name.startswith("daedal.")]
for room in sys.argv[1:]:
    if not os.fork():
        got = {}
        for name in getattr(import_module(f"daedal.{room}"), "__all__", []):
            exec(f"from daedal.{room} import {name}", got)
        files = [name for name, value in got.items() if isinstance(value, ModuleType)]
        os.write(2, f"files: {files}\\n".encode() if files else b"")
        os._exit(bool(files))  # At once: to clean up after them all takes longer than to load them.
    assert os.wait()[1] == 0, room
"""


def test_a_door_gives_out_what_it_names_and_never_a_file_of_that_name():
    """A name that is loaded when first used, and a file called the same: Python then hands out the file."""
    rooms = [module.room for module in ALL if module.is_package and "__all__" in module.source]
    script = [sys.executable, "-c", EACH_ROOM_AFRESH, *rooms]
    done = subprocess.run(script, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_rooms_meet_only_at_their_doors():
    reached = [line for module in parsed(ALL) for line in reached_into(module)]
    assert not reached, "\n".join(reached)


def test_the_check_of_doors_bites():
    sample = """
from daedal.ledger.rows import insert
from daedal.ledger import Ledger
from daedal.protocol.errors import LedgerError
from daedal.engine.turn import RunningTurn
from .thread import LoadedThread
import daedal.tools.bash
def late():
    from daedal.providers.catalog import models
"""
    module = Module(name="daedal.engine.sample", source=sample, place="sample.py")
    assert reached_into(module) == [
        "sample.py:2: daedal.ledger.rows",
        "sample.py:7: daedal.tools.bash",
        "sample.py:9: daedal.providers.catalog",
    ]


@requirement("AU-19")
def test_the_core_imports_no_infrastructure():
    wrong = [
        f"{module.place}:{line}: {name}"
        for module in parsed(ALL)
        if module.room in CORE
        for line, name in imports(module)
        if name.split(".")[1] in INFRASTRUCTURE
    ]
    assert not wrong, "\n".join(wrong)


def test_the_picture_in_the_tour_names_every_room():
    tour = (ROOT / "docs" / "tour.md").read_text("utf-8")
    pictures = " ".join(re.findall(r"```\n(.*?)```", tour, re.DOTALL))
    assert ROOMS - set(re.findall(r"\w+", pictures)) == set()


def test_no_path_of_somebodys_machine_is_written_down():
    files = [path for folder in WRITTEN for path in (ROOT / folder).rglob("*") if path.suffix in TEXT]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in files
        if SOMEONES_MACHINE.search(text := path.read_text("utf-8", "replace"))
        for number, line in enumerate(text.splitlines(), start=1)
        if SOMEONES_MACHINE.search(line)
    ]
    assert not found, "\n".join(found)
