"""Does an output stay readable and never grow without end?"""

import os
import resource
from pathlib import Path

import pytest

from daedal.sandbox import SpawnFailed, read_output
from daedal.sandbox.spool import Spool

LINE = b"%08d\n"
BYTES_MAX = 262_144


def filled(path: Path, lines: int) -> Spool:
    spool = Spool(str(path), bytes_max=BYTES_MAX)
    for start in range(0, lines, 1000):
        spool(b"".join(LINE % number for number in range(start, min(lines, start + 1000))))
    return spool


def test_a_short_output_is_kept_as_it_is(tmp_path: Path):
    spool = filled(tmp_path / "output", 3)
    assert (tmp_path / "output").read_bytes() == b"00000000\n00000001\n00000002\n"
    excerpt = spool.read(9, 1000)
    assert (excerpt.data, excerpt.end, excerpt.skipped) == (b"00000001\n00000002\n", 27, 0)
    assert spool.read(27, 1000).data == b""
    assert spool.read(10**12, 1000).data == b""


def test_of_a_long_output_the_newest_part_is_kept_and_the_rest_is_counted(tmp_path: Path):
    spool = filled(tmp_path / "output", 100_000)
    content = (tmp_path / "output").read_bytes()
    assert BYTES_MAX // 2 <= len(content) <= BYTES_MAX
    head, _, kept = content.partition(b"\n")
    dropped = 900_000 - len(kept)
    assert head == b"[SDLC_TRUNCATED] %d bytes of earlier output were dropped" % dropped
    assert kept.startswith(LINE % (dropped // 9))
    assert kept.endswith(LINE % 99_999)
    excerpt = spool.read(0, 2**20)
    assert (excerpt.data, excerpt.end, excerpt.skipped) == (kept, 900_000, dropped)


def test_what_is_new_is_found_though_much_was_dropped_in_between(tmp_path: Path):
    spool = filled(tmp_path / "output", 100_000)
    seen = spool.read(0, 2**20).end
    spool(b"news\n")
    assert spool.read(seen, 2**20).data == b"news\n"
    assert read_output(str(tmp_path / "output"), seen, 2**20).data == b"news\n"
    tail = spool.read(0, 20)
    assert (tail.data, tail.skipped) == (b"00099999\nnews\n", 900_005 - 14)


def test_a_line_without_end_is_bounded_too(tmp_path: Path):
    spool = Spool(str(tmp_path / "output"), bytes_max=BYTES_MAX)
    for _ in range(40):
        spool(b"x" * 65_536)
    assert (tmp_path / "output").stat().st_size <= BYTES_MAX


def test_a_file_that_is_there_already_is_not_touched(tmp_path: Path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "output").symlink_to(tmp_path / "precious")
    for name in ("precious", "output"):
        with pytest.raises(SpawnFailed, match="cannot write"):
            Spool(str(tmp_path / name))
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_folder_that_became_a_link_is_not_followed(tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "scratch").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SpawnFailed, match="symbolic links"):
        Spool(str(tmp_path / "scratch" / "output"))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_link_put_in_its_place_changes_nothing_for_who_writes_and_stops_who_reads(tmp_path: Path):
    spool = filled(tmp_path / "output", 3)
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "output").unlink()
    (tmp_path / "output").symlink_to(tmp_path / "precious")
    spool(b"more\n")
    assert (tmp_path / "precious").read_text() == "precious"
    assert spool.read(27, 1000).data == b"more\n"
    with pytest.raises(OSError, match="symbolic links"):
        read_output(str(tmp_path / "output"), 0, 1000)


def test_other_things_in_its_place_are_not_read_either(tmp_path: Path):
    (tmp_path / "precious").write_text("precious")
    os.link(tmp_path / "precious", tmp_path / "second")
    os.mkfifo(tmp_path / "pipe")
    for name in ("second", "pipe"):
        with pytest.raises(OSError, match="put in its place"):
            read_output(str(tmp_path / name), 0, 1000)


def test_a_first_line_that_lies_about_what_was_dropped_harms_nobody(tmp_path: Path):
    (tmp_path / "output").write_text("[SDLC_TRUNCATED] 999999999999999 bytes of earlier output were dropped\nx\n")
    excerpt = read_output(str(tmp_path / "output"), 0, 1000)
    assert (excerpt.data, excerpt.end) == (b"x\n", 10**15 + 1)
    (tmp_path / "output").write_text("[SDLC_TRUNCATED] 9999999999999999999999 bytes of earlier output were dropped\n")
    assert read_output(str(tmp_path / "output"), 0, 1000).data.startswith(b"[SDLC_TRUNCATED]")


def test_a_full_disk_costs_the_output_and_not_the_command(tmp_path: Path):
    spool = Spool(str(tmp_path / "output"))
    spool(b"first\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6, before[1]))
    try:
        spool(b"lost\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    spool(b"kept\n")
    assert (tmp_path / "output").read_bytes() == b"first\n\n[SDLC_TRUNCATED] 5 bytes could not be written\nkept\n"
