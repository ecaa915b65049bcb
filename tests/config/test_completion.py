"""A reference is completed one level at a time, with what `prepare` reads back."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config.completion import complete
from daedal.config.mentions import next_mention
from daedal.protocol.prompts import Completion, ReferenceCompleteResponse
from tests.config.example import unhurried
from tests.config.prompting import Desk, desk_in, place
from tests.toolbox.requirement import requirement

NOTHING = ReferenceCompleteResponse(data=[])


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = desk_in(tmp_path, monkeypatch)
    for name in ("src/deep/a.py", "src/b.py", "setup.py", "README.md", ".env", "my notes/one two.md"):
        place(desk.workspace / name, "x")
    return desk


def texts(desk: Desk, prefix: str) -> list[str]:
    return [one.text for one in desk.complete(prefix).data]


@requirement("RX-14")
def test_one_level_is_shown_folders_first_and_hidden_ones_when_asked_for(desk: Desk) -> None:
    assert desk.complete("s") == ReferenceCompleteResponse(
        data=[Completion(text="src/", kind="folder"), Completion(text="setup.py", kind="file")]
    )
    assert texts(desk, "") == ['"my notes/', "src/", "README.md", "setup.py"]
    assert texts(desk, "src/") == ["src/deep/", "src/b.py"]
    assert texts(desk, ".") == [".git/", ".env"]
    assert texts(desk, "./S") == ["./src/", "./setup.py"]
    assert texts(desk, "readme") == ["README.md"]


def test_home_and_root_can_be_completed(desk: Desk, tmp_path: Path) -> None:
    place(desk.home / "mine.txt", "x")
    (desk.workspace / "~").mkdir()
    assert texts(desk, "~") == ["~/"]
    assert texts(desk, "~/m") == ["~/mine.txt"]
    assert "~/" not in texts(desk, "")
    assert texts(desk, f"{tmp_path}/pro") == [f"{tmp_path}/project/"]


def test_paths_with_blanks_come_back_in_quotes_and_can_go_on(desk: Desk) -> None:
    assert texts(desk, "my") == ['"my notes/']
    assert texts(desk, '"my notes/') == ['"my notes/one two.md"']
    assert texts(desk, '"my notes/"') == ['"my notes/one two.md"']
    assert texts(desk, "my notes/o") == ['"my notes/one two.md"']
    assert len(desk.prepare('@"my notes/').attachments) == 1


@pytest.mark.parametrize("prefix", ["nowhere/x", "README.md/", "a\0b", "\udcff/", "~nobody/", "x" * 10_000, '"', "a:b"])
def test_nonsense_completes_to_nothing(desk: Desk, prefix: str) -> None:
    expected = desk.complete("") if prefix == '"' else NOTHING
    assert desk.complete(prefix) == expected


def test_a_folder_that_is_not_there_completes_to_nothing(desk: Desk) -> None:
    assert desk.complete("", desk.workspace / "gone") == NOTHING


def test_what_no_reference_could_say_is_left_out(desk: Desk) -> None:
    folder = desk.workspace / "odd"
    for name in ('"a', 'b "c', "new\nline", "esc\x1b[31m"):
        place(folder / name, "x")
    place(Path(os.fsdecode(os.fsencode(folder) + b"/\xff")), "x")
    os.mkfifo(folder / "pipe")
    (folder / "gone").symlink_to("nowhere")
    (folder / "link").symlink_to("..")
    assert texts(desk, "odd/") == ["odd/link/", 'odd/"a']
    assert desk.complete("", folder).data == [Completion(text="link/", kind="folder")]


@requirement("RX-14")
def test_a_huge_folder_is_cut(desk: Desk) -> None:
    many = desk.workspace / "many"
    many.mkdir()
    for number in range(250):
        (many / f"f{number:05}").touch()
    completed = desk.complete("many/f")
    assert len(completed.data) == 200
    assert completed.is_cut
    assert not desk.complete("many/f0001").is_cut
    for number in range(10_000):
        (many / f"g{number:05}").touch()
    assert desk.complete("many/nothing") == ReferenceCompleteResponse(data=[], is_cut=True)


@given(
    st.lists(st.text('ab "#L1.~é', min_size=1, max_size=8).filter(lambda name: name not in (".", "..")), max_size=4),
    st.sampled_from(["", "./", '"', ".", "a", "~"]),
)
@unhurried
def test_every_completion_leads_to_a_path_that_exists(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], prefix: str
) -> None:
    folder = tmp_path_factory.mktemp("names")
    for number, name in enumerate(dict.fromkeys(names)):
        (folder / name).mkdir() if number % 2 else (folder / name).touch()
    for one in complete(prefix, str(folder)).data:
        mention = next_mention(f"@{one.text}")
        assert mention is not None
        [path, *_] = [candidate.path for candidate in mention.candidates]
        assert one.text == "~/" or (folder / path).exists()
        assert path.endswith("/") == (one.kind == "folder")
