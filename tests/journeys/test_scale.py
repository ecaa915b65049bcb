"""Do the hands hold where things are very large? In little memory, with a mark where something is left out, at once.

What is small here takes seconds; `./dev test --long` takes the sizes that people complain about.
"""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.test_cli_signals import open_files, working_in
from tests.journeys.test_interrupting import PATIENCE_S, wait_for
from tests.toolbox.footprint import measured, peak_mib
from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

MIB = 1 << 20
LINE = b"2026-11-16T02:46:%02d INFO worker-%d served /api/v1/items in a few milliseconds\n"
LINES = b"".join(LINE % (second, worker) for second in range(60) for worker in range(10, 20))
"""600 lines, each as long as the others."""

READING_MIB_MAX = 80
"""The program itself takes half of that."""
CHANGING_MIB_MAX = 160


def rarely(*values: object, name: str | None = None) -> Any:
    """A case for those who have the time."""
    return pytest.param(*values, marks=[pytest.mark.long, pytest.mark.timeout(600)], id=name)


SIZES = [160 * MIB, rarely(1024 * MIB)]


@pytest.fixture(autouse=True)
def _nothing_large_stays(daedal: Daedal) -> Iterator[None]:
    yield
    shutil.rmtree(daedal.workspace)


def fill(path: Path, piece: bytes, size: int) -> int:
    """Writes the piece over and over; returns how often."""
    count = size // len(piece)
    block = max(1, MIB // len(piece))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for done in range(0, count, block):
            file.write(piece * min(block, count - done))
    return count


def by_hand(daedal: Daedal, tool: str, *, most_mib: float = READING_MIB_MAX, **given: Any) -> str:
    """What the tool answers, an error or not, once it is sure how much memory that took."""
    watched = measured(daedal)
    done = watched("--eval", json.dumps({"tool": tool, "input": given}), "--approval", "yolo")
    assert done.code in (0, 1), done.err
    assert peak_mib(watched) < most_mib
    return done.json["content"]


@requirement("SD-16/Read")
@pytest.mark.parametrize("size", SIZES)
def test_a_log_of_any_size_is_read_where_it_is_asked_for(daedal: Daedal, size: int):
    count = fill(daedal.workspace / "app.log", LINES, size) * 600
    assert "are read at once" in by_hand(daedal, "Read", file_path="app.log")
    assert "[SDLC_TRUNCATED] go on with offset" in by_hand(daedal, "Read", file_path="app.log", allow_large=True)
    deep = by_hand(daedal, "Read", file_path="app.log", offset=count - 1, limit=10)
    assert deep.splitlines() == [
        f"{count - 1}\t{(LINE % (59, 18)).decode().strip()}",
        f"{count}\t{(LINE % (59, 19)).decode().strip()}",
        f"(lines {count - 1}-{count} of {count})",
    ]
    past = by_hand(daedal, "Read", file_path="app.log", offset=10 * count, limit=10)
    assert past == f"(offset {10 * count} is past the end: the file has {count} lines)"


@requirement("SD-16/Read", "SD-16/Grep")
@pytest.mark.parametrize("size", SIZES)
def test_a_file_of_one_line_is_read_and_searched_in_part(daedal: Daedal, size: int):
    count = fill(daedal.workspace / "one.json", b'{"a": 1},', size)
    assert f"[SDLC_TRUNCATED] line of {9 * count} bytes\n(1 line" in by_hand(
        daedal, "Read", file_path="one.json", limit=3
    )
    assert by_hand(daedal, "Grep", pattern='"a"', path="one.json") == "Found 1 file\none.json"
    shown = by_hand(daedal, "Grep", pattern="a", path="one.json", output_mode="content")
    assert shown == "1:[Omitted long matching line]"


@requirement("SD-16/Read")
def test_absurd_pictures_documents_and_notebooks_are_refused_unread(daedal: Daedal):
    heads = {"a.png": b"\x89PNG\r\n\x1a\n", "a.pdf": b"%PDF-1.7\n", "a.ipynb": b'{"cells": []}' + b" " * 9000}
    for name, head in heads.items():
        (daedal.workspace / name).write_bytes(head)
        os.truncate(daedal.workspace / name, 1024 * MIB)
        assert "1 GiB" in by_hand(daedal, "Read", file_path=name)


@requirement("SD-16/Read")
@pytest.mark.parametrize("piece", [b"{},", rarely(b"0.5,"), rarely(b'"",'), rarely(b"[[")])
def test_a_notebook_of_too_many_values_is_refused_before_it_takes_the_memory(daedal: Daedal, piece: bytes):
    path = daedal.workspace / "crowded.ipynb"
    path.write_bytes(b'{"cells": [], "metadata": {"x": [' + piece * (31 * MIB // len(piece)) + b"0]}}")
    refusal = by_hand(daedal, "Read", most_mib=CHANGING_MIB_MAX, file_path=path.name)
    assert "it holds more than 1000000 values" in refusal
    some = by_hand(daedal, "Read", most_mib=CHANGING_MIB_MAX, file_path=path.name, limit=1)
    assert "[SDLC_TRUNCATED]" in some


@requirement("SD-16/Read")
def test_a_notebook_with_long_tables_in_its_outputs_is_not_taken_for_one(daedal: Daedal):
    text = "1,2,[3],{}" * 500_000
    output = {"output_type": "stream", "name": "stdout", "text": text}
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "table", "outputs": [output]}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    (daedal.workspace / "table.ipynb").write_text(json.dumps(book))
    shown = by_hand(daedal, "Read", most_mib=CHANGING_MIB_MAX, file_path="table.ipynb")
    assert shown.startswith('<cell id="a">table</cell id="a">')


@requirement("SD-16/Glob", "SD-16/Grep")
@pytest.mark.parametrize("folders", [2, rarely(200)])
def test_any_number_of_files_is_listed_and_searched_in_part(daedal: Daedal, folders: int):
    for number in range(folders):
        folder = daedal.workspace / f"pkg{number:03}"
        folder.mkdir()
        (folder / "module000.py").write_text(f"def function():\n    return {number}\n")
        for name in range(1, 1000):
            os.link(folder / "module000.py", folder / f"module{name:03}.py")
    total = folders * 1000
    listed = by_hand(daedal, "Glob", pattern="**/*.py")
    assert listed.endswith(f"\n(100 of {total} files, those changed longest ago; narrow the pattern)")
    assert len(listed.splitlines()) == 101
    files = by_hand(daedal, "Grep", pattern="return")
    assert files.startswith(f"Found {total} files, showing 250 (limit: 250)\n")
    counts = by_hand(daedal, "Grep", pattern="return", output_mode="count", head_limit=10)
    assert counts.endswith(f"Found {total} matching lines in {total} files, showing 10 files (limit: 10)")
    page = by_hand(daedal, "Grep", pattern="return", output_mode="content", offset=total - 1)
    assert page == (
        f"pkg{folders - 1:03}/module999.py:2:    return {folders - 1}\n"
        f"[Showing results with pagination = limit: 250, offset: {total - 1}]"
    )


@requirement("SD-16/Grep")
@pytest.mark.parametrize("size", [32 * MIB, rarely(1024 * MIB)])
def test_a_match_on_every_line_is_cut_or_counted(daedal: Daedal, size: int):
    count = fill(daedal.workspace / "logs" / "app.log", LINES, size) * 600
    everything = by_hand(daedal, "Grep", pattern="INFO", path="logs", output_mode="content", head_limit=0)
    assert everything.endswith("\n[SDLC_TRUNCATED]")
    assert len(everything) <= MIB + 100
    assert f"logs/app.log:{count}\n" in by_hand(daedal, "Grep", pattern="INFO", path="logs", output_mode="count")
    last = by_hand(daedal, "Grep", pattern="INFO", path="logs", output_mode="content", offset=count - 1)
    assert last.startswith(f"logs/app.log:{count}:{(LINE % (59, 19)).decode()}")


@pytest.mark.long
@requirement("SD-16/Grep")
def test_a_line_too_long_for_any_memory_breaks_the_search_off_and_is_told(daedal: Daedal):
    (daedal.workspace / "short.txt").write_text("lorem\n")
    fill(daedal.workspace / "long.txt", b"ipsum dolor sit amet ", 1024 * MIB)
    refused = by_hand(daedal, "Grep", pattern="lorem", output_mode="content")
    assert refused.startswith("The search broke off, because a file there has a line too long")
    assert by_hand(daedal, "Grep", pattern="lorem", path="long.txt") == "No files found"
    assert by_hand(daedal, "Grep", pattern="lorem", glob="!long.txt") == "Found 1 file\nshort.txt"


@requirement("SD-16/Edit")
@pytest.mark.parametrize("piece", [b"\n", rarely(LINES, name="log"), rarely("häuser 😀\n".encode()), rarely(b"[1],")])
def test_a_large_file_is_changed_in_the_memory_of_two(daedal: Daedal, piece: bytes):
    path = daedal.workspace / "large"
    fill(path, piece, 31 * MIB)
    before = path.read_bytes()
    path.write_bytes(before + b"THE END\n")
    given = {"file_path": "large", "old_string": "THE END", "new_string": "the end"}
    assert "updated successfully" in by_hand(daedal, "Edit", most_mib=CHANGING_MIB_MAX, **given)
    assert path.read_bytes() == before + b"the end\n"


@requirement("SD-16/Edit")
def test_a_replacement_everywhere_is_bounded_by_what_comes_out(daedal: Daedal):
    path = daedal.workspace / "large"
    path.write_bytes(b"\n" * (20 * MIB))
    given = {"file_path": "large", "old_string": "\n", "replace_all": True}
    refused = by_hand(daedal, "Edit", most_mib=CHANGING_MIB_MAX, **given, new_string="a line\n")
    assert refused == "With that the file would have 140 MiB, above the 32 MiB that it may have here."
    assert by_hand(daedal, "Edit", most_mib=CHANGING_MIB_MAX, **given, new_string=" ").startswith("The file")
    assert path.read_bytes() == b" " * (20 * MIB)


@requirement("SD-16/Edit", "SD-16/Write")
def test_what_is_too_large_to_be_kept_is_left_to_commands(daedal: Daedal):
    (daedal.workspace / "large").write_text("text\n" * 9000)
    os.truncate(daedal.workspace / "large", 1024 * MIB)
    said = "has 1 GiB, above the 32 MiB that can be changed with this tool"
    assert said in by_hand(daedal, "Edit", file_path="large", old_string="text", new_string="x")
    assert said in by_hand(daedal, "Write", file_path="large", content="x")


@requirement("SD-16/Read", "SD-16/Glob", "SD-16/Grep")
def test_a_model_that_asks_for_everything_gets_a_part_of_each(daedal: Daedal, model):
    fill(daedal.workspace / "app.log", LINES, 96 * MIB)
    for number in range(300):
        (daedal.workspace / f"file{number:03}.txt").touch()
    model(
        [
            calls(
                ("Read", {"file_path": "app.log", "allow_large": True}),
                ("Glob", {"pattern": "*"}),
                ("Grep", {"pattern": "INFO", "output_mode": "content", "head_limit": 0}),
            ),
            say("That is much."),
        ]
    )
    watched = measured(daedal)
    # Of this provider's window nothing is known; one of 200,000 tokens would be folded first.
    done = watched("exec", "Show me all.", "--approval", "yolo", "--provider", "lm_studio_local")
    assert (done.code, done.out) == (0, "That is much.\n")
    read, listed, found = (result["content"] for result in daedal.results())
    assert "[SDLC_TRUNCATED] go on with offset" in read
    assert "(100 of 301 files" in listed
    assert found.endswith("[SDLC_TRUNCATED]")
    assert peak_mib(watched) < READING_MIB_MAX


def endless(daedal: Daedal) -> dict[str, Any]:
    """A call that reads on for minutes: a text, and after it more nothing than any disk could hold."""
    path = daedal.workspace / "endless.log"
    path.write_bytes(LINES)
    os.truncate(path, 1 << 40)
    return {"file_path": path.name, "offset": 1_000_000, "limit": 1}


@requirement("RX-21", "SD-16/Read")
def test_ctrl_c_ends_reading_in_the_middle(daedal: Daedal, model):
    given = endless(daedal)
    model([call("Read", **given), say("never")])
    for words in (["--eval", json.dumps({"tool": "Read", "input": given})], ["exec", "Read it."]):
        process = daedal.start(*words, "--approval", "yolo")
        wait_for(lambda pid=process.pid: str(daedal.workspace / "endless.log") in open_files(pid))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 130
    assert daedal.rows("SELECT DISTINCT status FROM turns") == [("interrupted",)]


@requirement("RX-21", "SD-16/Grep")
def test_ctrl_c_ends_a_search_in_the_middle_and_the_searcher_with_it(daedal: Daedal):
    fill(daedal.workspace / "app000.log", LINES, 64 * MIB)
    for number in range(1, 1000):
        os.link(daedal.workspace / "app000.log", daedal.workspace / f"app{number:03}.log")
    wanted = json.dumps({"tool": "Grep", "input": {"pattern": "nowhere [0-9]+ found", "output_mode": "count"}})
    process = daedal.start("--eval", wanted, "--approval", "yolo")
    wait_for(lambda: len(working_in(daedal.workspace)) > 1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    wait_for(lambda: working_in(daedal.workspace) == [])
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]
