"""Saved keys are read as written, and written without disturbing anything else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config import Dotenv, read_dotenv, write_dotenv
from daedal.protocol.errors import ConfigurationError

from .example import unhurried


def values_of(tmp_path: Path, text: str | bytes) -> dict[str, str]:
    file = tmp_path / ".env"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    file.chmod(0o600)
    return read_dotenv(str(file)).values


def test_no_file_holds_no_keys(tmp_path: Path) -> None:
    assert read_dotenv(str(tmp_path / ".env")) == Dotenv({}, [])


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("K=v", "v"),
        ("  export  K = v  ", "v"),
        ("K=", ""),
        ("K=a b # note", "a b"),
        ("K=a#b", "a#b"),
        ("K=#b", "#b"),
        ("K= # note", ""),
        ("K='a # $b \\n' # note", "a # $b \\n"),
        ('K="a\\n\\"b\\" \\$c \\\\ \\q" # note', 'a\n"b" $c \\ \\q'),
        ("K=a=b==", "a=b=="),
        ("K=old\nK=new", "new"),
        ("\ufeffK=v\r\n", "v"),
        ("# K=x\n\n  # y\nK=v", "v"),
        ("K=a\u2028b", "a\u2028b"),
    ],
)
def test_a_line_is_read_as_people_mean_it(tmp_path: Path, line: str, value: str) -> None:
    assert values_of(tmp_path, line) == {"K": value}


@pytest.mark.parametrize(
    "line", ["secret", "1K=secret", "K-L=secret", "=secret", 'K="secret', "K='secret' x", "export"]
)
def test_a_line_that_is_not_one_is_named_by_number_and_never_quoted(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigurationError, match=r"\.env:2: ") as caught:
        values_of(tmp_path, f"A=1\n{line}\n")
    assert "secret" not in str(caught.value)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"\.env:2: not UTF-8"):
        values_of(tmp_path, b"A=1\nB=\xff")


def test_a_file_that_others_may_read_is_warned_about(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("K=v")
    for mode, count in ((0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1), (0o644, 1)):
        file.chmod(mode)
        assert len(read_dotenv(str(file)).warnings) == count


def test_writing_keeps_other_lines_and_comments(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"# mine\r\nexport A=1 # one\r\n\r\nB='x'\r\nA=dead\r\n  export A = 2\r\nnot a line")
    write_dotenv(str(file), {"A": "new", "C": "with space"})
    assert file.read_bytes() == (b"# mine\r\n\r\nB='x'\r\n  export A=new\r\nnot a line\r\n" + b'C="with space"\r\n')


def test_the_file_and_its_folder_are_made_for_the_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "home" / ".env"
    write_dotenv(str(file), {"K": "v"})
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    file.chmod(0o644)
    write_dotenv(str(file), {"K": "w"})
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == [".env"]


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real, link = tmp_path / "dotfiles" / "env", tmp_path / ".env"
    real.write_text("A=1\n")
    link.symlink_to(real)
    write_dotenv(str(link), {"B": "2"})
    assert link.is_symlink()
    assert real.read_text() == "A=1\nB=2\n"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="nothing was changed"):
        write_dotenv(str(tmp_path / "file" / ".env"), {"K": "v"})
    (tmp_path / "folder").mkdir()
    with pytest.raises(ConfigurationError, match="not an ordinary file"):
        write_dotenv(str(tmp_path / "folder"), {"K": "v"})


@pytest.mark.parametrize(("name", "value"), [("1A", "x"), ("A B", "x"), ("", "x"), ("A", "nul\0"), ("A", "\udcff")])
def test_what_cannot_be_saved_is_refused_and_changes_nothing(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be saved"):
        write_dotenv(str(tmp_path / ".env"), {name: value})
    assert list(tmp_path.iterdir()) == []


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True)
SAVED = st.dictionaries(NAMES, st.text(st.characters(codec="utf-8", exclude_characters="\0")), max_size=4)


@unhurried
@given(before=SAVED, after=SAVED)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, str], after: dict[str, str]
) -> None:
    file = str(tmp_path_factory.mktemp("dotenv") / ".env")
    write_dotenv(file, before)
    write_dotenv(file, after)
    assert read_dotenv(file) == Dotenv(before | after, [])


def test_a_second_name_of_the_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\n")
    file.chmod(0o600)
    file.with_name("twin").hardlink_to(file)
    [warning] = read_dotenv(str(file)).warnings
    assert "has another name (a hard link)" in warning
