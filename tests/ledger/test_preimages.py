"""Are files kept as they were, privately and whole?"""

import asyncio
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.ledger import Ledger
from daedal.ledger.preimages import PreImageFolder
from daedal.protocol.errors import LedgerError
from daedal.protocol.seams import PreImage


def put(ledger: Ledger, session: str, call: str, image: PreImage) -> str:
    return asyncio.run(ledger.pre_images.put(session, call, image))


def found(ledger: Ledger, session: str, call: str) -> list[tuple[str, PreImage]]:
    return asyncio.run(ledger.pre_images.find(session, call))


def test_what_a_call_kept_is_found_in_order(ledger: Ledger):
    images = [
        PreImage(path="/project/a.py", content=b"old\n", mode=0o644),
        PreImage(path="/project/new.py", content=None),
        PreImage(path="/project/empty", content=b"", mode=0o600),
    ]
    names = [put(ledger, "s1", "call-1", image) for image in images]
    assert found(ledger, "s1", "call-1") == list(zip(names, images, strict=True))
    assert found(ledger, "s1", "call-2") == found(ledger, "s2", "call-1") == []


def test_kept_files_are_for_nobody_elses_eyes(ledger: Ledger, path: Path):
    name = put(ledger, "s1", "call-1", PreImage(path="/a", content=b"x"))
    folder = Path(f"{path}-files")
    assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert {stat.S_IMODE(place.stat().st_mode) for place in (folder, (folder / name).parent)} == {0o700}
    assert str(folder) in ledger.files()


@pytest.mark.parametrize("name", ["../../outside", "/etc/passwd", "", ".", "a\x00b", "x" * 5000, "\ud800"])
def test_an_id_from_outside_chooses_no_path(name: str, ledger: Ledger, path: Path):
    image = PreImage(path="/a", content=b"x")
    blob = put(ledger, name, name, image)
    assert found(ledger, name, name) == [(blob, image)]
    inside = Path(f"{path}-files").resolve()
    assert (inside / blob).resolve().is_relative_to(inside)
    assert {entry.name for entry in path.parent.iterdir()} <= {Path(file).name for file in ledger.files()}


@settings(max_examples=30, deadline=None)
@given(
    content=st.none() | st.binary(max_size=200),
    name=st.binary(min_size=1, max_size=30),
    mode=st.none() | st.integers(0, 0o7777),
)
def test_any_file_comes_back_byte_by_byte(content, name, mode, tmp_path_factory):
    folder = PreImageFolder(str(tmp_path_factory.mktemp("kept") / "daedal.db"))
    image = PreImage(path=os.fsdecode(b"/" + name), content=content, mode=mode)
    asyncio.run(folder.put("s", "c", image))
    ((_, stored),) = asyncio.run(folder.find("s", "c"))
    assert stored == image


def test_a_large_file_is_kept_too(ledger: Ledger):
    image = PreImage(path="/large", content=os.urandom(1_000_000), mode=0o644)
    put(ledger, "s1", "c", image)
    ((_, stored),) = found(ledger, "s1", "c")
    assert stored == image


def test_a_draft_that_a_crash_left_behind_is_no_kept_file(ledger: Ledger, path: Path):
    name = put(ledger, "s1", "c", PreImage(path="/a", content=b"x"))
    ((Path(f"{path}-files") / name).parent / "draft-1-abcd").write_bytes(b"half")
    assert len(found(ledger, "s1", "c")) == 1
    assert put(ledger, "s1", "c", PreImage(path="/b", content=b"y")) != name


def test_a_kept_file_that_was_damaged_is_named(ledger: Ledger, path: Path):
    name = put(ledger, "s1", "c", PreImage(path="/a", content=b"x"))
    (Path(f"{path}-files") / name).write_bytes(b"nonsense")
    with pytest.raises(LedgerError, match=name):
        found(ledger, "s1", "c")


def test_a_place_that_cannot_be_written_is_a_message(ledger: Ledger, path: Path):
    Path(f"{path}-files").write_text("in the way")
    with pytest.raises(LedgerError, match="-files could not be used"):
        put(ledger, "s1", "c", PreImage(path="/a", content=b"x"))
