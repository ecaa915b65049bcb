"""What does the model read of a file, whatever the file is?"""

import asyncio
import os
import socket
import time
import tracemalloc
from pathlib import Path

import pytest

from daedal.protocol.seams import Outcome
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk, not_root

pytestmark = requirement("SD-16/Read")
KIB_256 = 262_144


def test_lines_are_numbered_and_counted(desk: Desk):
    path = desk.put("a.txt", "line1\nline2\nline3\n")
    content = "1\tline1\n2\tline2\n3\tline3\n(3 lines)"
    assert desk.do("Read", file_path="a.txt") == Outcome(content=content, touched=[str(path)])
    assert desk.do("Read", file_path=str(path)).content == content


def test_a_missing_newline_at_the_end_is_told(desk: Desk):
    desk.put("a.txt", "one\ntwo")
    assert desk.do("Read", file_path="a.txt").content == "1\tone\n2\ttwo\n(2 lines, no newline at the end)"


def test_one_line_is_one_line(desk: Desk):
    desk.put("a.txt", "one\n")
    assert desk.do("Read", file_path="a.txt").content == "1\tone\n(1 line)"


def test_a_page_says_what_it_is_a_page_of(desk: Desk):
    desk.put("a.txt", "".join(f"line {number}\n" for number in range(1, 501)))
    outcome = desk.do("Read", file_path="a.txt", offset=10, limit=2)
    assert outcome.content == "10\tline 10\n11\tline 11\n(lines 10-11 of 500)"
    assert desk.do("Read", file_path="a.txt", offset=499).content.endswith("500\tline 500\n(lines 499-500 of 500)")
    assert desk.do("Read", file_path="a.txt", offset=0, limit=1).content == "1\tline 1\n(lines 1-1 of 500)"
    assert desk.do("Read", file_path="a.txt", offset=1, limit=900).content.endswith("\n(500 lines)")


def test_a_page_past_the_end_and_an_empty_file_are_no_errors(desk: Desk):
    desk.put("a.txt", "one\ntwo\n")
    desk.put("empty", "")
    past = desk.do("Read", file_path="a.txt", offset=3)
    assert (past.content, past.is_error) == ("(offset 3 is past the end: the file has 2 lines)", False)
    empty = desk.do("Read", file_path="empty")
    assert (empty.content, empty.is_error) == ("(the file is empty: 0 lines)", False)


def test_a_large_file_needs_a_limit(desk: Desk):
    desk.put("big", "x" * 99 + "\n" + "y\n" * 200_000)
    refused = desk.do("Read", file_path="big")
    assert refused.is_error
    assert "390.7 KiB" in refused.content
    assert "`limit`" in refused.content
    assert (
        desk.do("Read", file_path="big", offset=200_001, limit=5).content
        == "200001\ty\n(lines 200001-200001 of 200001)"
    )


def test_an_answer_is_never_above_the_cap_and_says_how_to_go_on(desk: Desk):
    desk.put("short-lines", "\n" * KIB_256)
    outcome = desk.do("Read", file_path="short-lines")
    assert len(outcome.content.encode()) <= KIB_256
    closing = outcome.content.rpartition("\n")[2]
    assert "[SDLC_TRUNCATED] go on with offset " in closing
    shown = outcome.content.count("\n")
    assert closing.startswith(f"(lines 1-{shown} of {KIB_256})")
    assert closing.endswith(f"offset {shown + 1}")


@pytest.mark.parametrize("length", range(95, 100))
def test_near_the_cap_everything_or_the_mark_is_there(desk: Desk, length: int):
    desk.put("edge", ("x" * length + "\n") * 2490)
    content = desk.do("Read", file_path="edge").content
    assert len(content.encode()) <= KIB_256
    assert content.endswith("(2490 lines)") or "[SDLC_TRUNCATED]" in content


def test_a_large_page_and_a_large_whole_are_capped_too(desk: Desk):
    desk.put("big", "z" * 999 + "\n" + ("z" * 999 + "\n") * 5000)
    for arguments in ({"limit": 5000}, {"allow_large": True}):
        outcome = desk.do("Read", file_path="big", **arguments)
        assert not outcome.is_error
        assert KIB_256 * 0.9 < len(outcome.content.encode()) <= KIB_256
        assert "[SDLC_TRUNCATED] go on with offset" in outcome.content


def test_a_long_line_is_cut_between_characters(desk: Desk):
    desk.put("minified", "é" * 50_000 + "\nnext\n")
    outcome = desk.do("Read", file_path="minified")
    first, second, closing = outcome.content.split("\n")
    assert first == "1\t" + "é" * 10_000 + " [SDLC_TRUNCATED] line of 100000 bytes"
    assert (second, closing) == ("2\tnext", "(2 lines)")


def test_a_huge_file_is_paged_in_little_memory(desk: Desk):
    path = desk.root / "huge"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(b"0123456789abcde\n" * 65_536)
        file.truncate(1_073_741_824)
    tracemalloc.start()
    outcome = desk.do("Read", file_path="huge", offset=6_000_000, limit=2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outcome.content.startswith("6000000\t0123456789abcde\n6000001\t0123456789abcde\n(lines 6000000-6000001; ")
    assert "the file goes on" in outcome.content
    assert "1 GiB" in outcome.content
    assert peak < 8_000_000


def test_a_huge_line_does_not_fill_the_memory(desk: Desk):
    path = desk.root / "line"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(b"x" * 1_048_576)
        file.write(b"\nend\n")
    tracemalloc.start()
    outcome = desk.do("Read", file_path="line", limit=2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outcome.content.endswith(" [SDLC_TRUNCATED] line of 67108864 bytes\n2\tend\n(2 lines)")
    assert peak < 8_000_000


def test_a_binary_file_shows_its_size_and_first_bytes(desk: Desk):
    desk.put("image", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
    outcome = desk.do("Read", file_path="image")
    assert not outcome.is_error
    lines = outcome.content.split("\n")
    assert lines[0] == "Binary file, 1 KiB"
    assert lines[1] == "00000000  89 50 4e 47 0d 0a 1a 0a 00 01 02 03 04 05 06 07  |.PNG............|"
    assert len(lines) == 18


def test_pages_belong_to_pdf_files(desk: Desk):
    desk.put("a.txt", "text\n")
    refused = desk.do("Read", file_path="a.txt", pages="1")
    assert refused.is_error
    assert "`pages` is for PDF files" in refused.content


def test_a_huge_file_is_left_at_once_when_the_call_is_cancelled(desk: Desk):
    with (desk.root / "huge").open("wb") as file:
        file.write(b"line\n" * 2000)  # text at its start, else it would be shown as binary
        file.truncate(1 << 40)

    async def scenario() -> tuple[bool, float]:
        call = asyncio.create_task(desk.call("Read", file_path="huge", offset=1 << 40, limit=2))
        await asyncio.sleep(0)
        started = time.monotonic()
        call.cancel()
        await asyncio.wait([call])
        return call.cancelled(), time.monotonic() - started

    cancelled, waited_s = desk.run(scenario())
    assert cancelled
    assert waited_s < 5  # the file would take minutes


@pytest.mark.parametrize(
    ("content", "closing"),
    [
        ("größe\n".encode("utf-8-sig"), "(1 line, UTF-8 with BOM)"),
        ("größe\n".encode("utf-16"), "(1 line, UTF-16-LE)"),
        (b"\xfe\xff" + "größe\n".encode("utf-16-be"), "(1 line, UTF-16-BE)"),
        (b"\xff\xfe\x00\x00" + "größe\n".encode("utf-32-le"), "(1 line, UTF-32-LE)"),
        ("größe\n".encode("latin-1"), "(1 line, not UTF-8, shown as Latin-1)"),
        ("größe\r\n".encode(), "(1 line, CRLF line ends)"),
    ],
)
def test_encodings_are_recognised(desk: Desk, content: bytes, closing: str):
    desk.put("a.txt", content)
    assert desk.do("Read", file_path="a.txt").content == f"1\tgröße\n{closing}"


def test_mixed_line_ends_are_told(desk: Desk):
    desk.put("a.txt", "one\r\ntwo\n")
    assert desk.do("Read", file_path="a.txt").content == "1\tone\n2\ttwo\n(2 lines, CRLF at the end of 1 line)"


def test_a_latin_1_file_does_not_outgrow_the_cap(desk: Desk):
    desk.put("a.txt", (b"\xe9" * 99 + b"\n") * 2600)
    outcome = desk.do("Read", file_path="a.txt")
    assert len(outcome.content.encode()) <= KIB_256
    assert "[SDLC_TRUNCATED]" in outcome.content


def test_a_utf_16_file_is_paged(desk: Desk):
    desk.put("a.txt", "".join(f"Zeile {number}\n" for number in range(1, 40_001)).encode("utf-16"))
    outcome = desk.do("Read", file_path="a.txt", offset=39_999, limit=5)
    assert outcome.content == "39999\tZeile 39999\n40000\tZeile 40000\n(lines 39999-40000 of 40000, UTF-16-LE)"


def test_a_missing_file_names_its_neighbours(desk: Desk):
    desk.put("src/config.py", "")
    desk.put("src/Readme.md", "")
    outcome = desk.do("Read", file_path="src/confg.py")
    assert outcome.is_error
    assert outcome.content == (
        f"File does not exist: {desk.root}/src/confg.py."
        f" Note: your current working directory is {desk.cwd}. Did you mean config.py?"
    )
    assert "Did you mean Readme.md?" in desk.do("Read", file_path="src/README.md").content
    assert "does not exist either" in desk.do("Read", file_path="gone/a.py").content
    assert "is not a directory" in desk.do("Read", file_path="src/config.py/x").content


def test_a_directory_is_refused(desk: Desk):
    outcome = desk.do("Read", file_path=".")
    assert outcome.is_error
    assert "is a directory" in outcome.content


def test_pipes_sockets_and_devices_never_block(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    os.mkfifo(desk.root / "pipe")
    monkeypatch.chdir(desk.root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for name, kind in (("pipe", "a named pipe"), ("socket", "a socket"), ("/dev/zero", "a device")):
            outcome = desk.do("Read", file_path=name)
            assert outcome.is_error
            assert f"is {kind}, not an ordinary file" in outcome.content


def test_an_unreadable_file_is_told(desk: Desk):
    desk.put("secret", "x").chmod(0)
    with not_root():
        outcome = desk.do("Read", file_path="secret")
    assert outcome.is_error
    assert "Permission denied" in outcome.content


def test_a_looping_link_is_told(desk: Desk):
    (desk.root / "loop").symlink_to("loop")
    outcome = desk.do("Read", file_path="loop")
    assert outcome.is_error
    assert "symbolic links" in outcome.content


def test_a_file_that_claims_to_be_empty_is_read_anyway(desk: Desk):
    assert "MemTotal" in desk.do("Read", file_path="/proc/meminfo").content


@pytest.mark.parametrize("path", ["a\0b", "a\ud800b", "x" * 5000, ""])
def test_what_can_be_no_file_is_an_error_and_never_an_exception(desk: Desk, path: str):
    assert desk.do("Read", file_path=path).is_error


def test_a_name_that_is_not_utf_8_can_be_read_and_shown(desk: Desk):
    name = os.fsdecode(b"caf\xe9.txt")
    (desk.root / name).write_text("x\n")
    assert desk.do("Read", file_path=name).content == "1\tx\n(1 line)"
    assert "caf?" in desk.do("Read", file_path=os.fsdecode(b"caf\xe9.tx")).content


def test_the_paths_of_a_call_are_real_and_absolute(desk: Desk, tmp_path: Path):
    (desk.root / "link").symlink_to(tmp_path / "elsewhere")
    assert desk.paths("Read", file_path="link") == [str(tmp_path / "elsewhere")]
    for arguments in ({}, {"file_path": 3}, {"file_path": "a\0b"}, {"file_path": None}, {"file_path": "\ud800"}):
        assert desk.paths("Read", **arguments) == []
