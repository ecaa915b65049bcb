"""Custom commands are found by their name, filled in once, and a file that is none is told and skipped."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config.command_template import render, words_of
from daedal.protocol.errors import UsageError
from daedal.protocol.prompts import CommandInfo
from tests.config.prompting import Desk, desk_in, place
from tests.toolbox.requirement import requirement

OWN, CLAUDE = ".daedal/commands", ".claude/commands"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return desk_in(tmp_path, monkeypatch)


def names(desk: Desk) -> list[str]:
    return [info.name for info in desk.commands().data]


@requirement("RX-13")
def test_a_file_is_a_command_and_a_folder_its_namespace(desk: Desk) -> None:
    place(desk.workspace / OWN / "review.md", "Review the diff.")
    place(desk.workspace / OWN / "git" / "commit.md", "Commit with $ARGUMENTS.")
    assert names(desk) == ["git:commit", "review"]
    assert desk.prepare("/review").text == "Review the diff."
    assert desk.prepare("/git:commit one message").text == "Commit with one message."


@requirement("RX-13")
def test_the_project_outranks_the_user_and_daedals_own_folder_the_other(desk: Desk) -> None:
    inner = desk.workspace / "sub"
    inner.mkdir()
    places = [
        inner / OWN,
        desk.workspace / OWN,
        inner / CLAUDE,
        desk.workspace / CLAUDE,
        desk.home / OWN,
        desk.home / CLAUDE,
    ]
    desk.workspace = inner
    for folder in reversed(places):
        file = place(folder / "who.md", f"from {folder}")
        assert desk.prepare("/who").text == f"from {folder}"
        [info] = desk.commands().data
        assert (info.path, info.source) == (str(file), "user" if desk.home in folder.parents else "project")


def test_the_users_folder_counts_as_theirs_even_where_it_is_the_workspace(desk: Desk) -> None:
    place(desk.home / OWN / "mine.md", "x")
    desk.workspace = desk.home
    assert [info.source for info in desk.commands().data] == ["user"]


@requirement("RX-13")
def test_frontmatter_describes_and_grants_nothing(desk: Desk) -> None:
    file = place(
        desk.workspace / OWN / "review.md",
        "---\r\ndescription: 'Review: the diff'\r\nargument-hint: [focus]\r\nallowed-tools: Bash(*)\r\nmodel: opus\r\n"
        "tags:\r\n  - a\r\n---\r\n\r\nReview $1.\r\n---\r\nThen stop.\r\n",
    )
    info = CommandInfo(
        name="review", description="Review: the diff", argument_hint="[focus]", source="project", path=str(file)
    )
    assert desk.commands().data == [info]
    assert desk.prepare("/review src").text == "Review src.\n---\nThen stop."


@pytest.mark.parametrize("text", ["Look at it.\nTwice.", "# Look at it.", "---\nmodel: x\n---\nLook at it."])
def test_without_a_description_the_first_line_is_one(desk: Desk, text: str) -> None:
    place(desk.workspace / OWN / "look.md", text)
    assert [info.description for info in desk.commands().data] == ["Look at it."]


@requirement("RX-13")
@pytest.mark.parametrize(
    ("body", "arguments", "said"),
    [
        ("a $1 b $2 c $3.", "x y", "a x b y c ."),
        ("all: $ARGUMENTS!", "x   'y z'", "all: x   'y z'!"),
        ("$1|$2", '"x y" z', "x y|z"),
        ("$1|$2", '@"x y" don\'t', '@"x y"|don\'t'),
        ("$1|$2", '"x y', '"x|y'),
        ("$10 $1", "a b c d e f g h i j", "j a"),
        ("costs $$5, $$ARGUMENTS, $$$1", "x", "costs $5, $ARGUMENTS, $x"),
        ("$1 $2", "$2 $1", "$2 $1"),
        ("$ARGUMENTS", "$ARGUMENTS $$ $1", "$ARGUMENTS $$ $1"),
        ("$ARGUMENTSX $0 $x ${1} $", "a", "$ARGUMENTSX $0 $x ${1} $\n\nARGUMENTS: a"),
        ("$1" + "0" * 5000, "a", ""),
        ("plain $$", "a b", "plain $\n\nARGUMENTS: a b"),
        ("plain", "", "plain"),
    ],
)
def test_arguments_are_filled_in(desk: Desk, body: str, arguments: str, said: str) -> None:
    place(desk.workspace / OWN / "do.md", body)
    assert desk.prepare(f"/do {arguments}").text == said


def test_what_follows_the_name_on_other_lines_belongs_to_the_arguments(desk: Desk) -> None:
    place(desk.workspace / OWN / "do.md", "[$ARGUMENTS]")
    assert desk.prepare("/do\n\nfirst\nsecond\n").text == "[first\nsecond]"


@given(
    st.lists(st.sampled_from(["$1", "$2", "$ARGUMENTS", "$$", " ", "x", "9"])),
    st.lists(st.text("$1ARGUMENTS", min_size=1), max_size=3),
)
def test_what_is_filled_in_is_never_filled_in_again(pieces: list[str], words: list[str]) -> None:
    body = "\n".join(pieces)
    arguments = " ".join(words)
    values = {"$$": "$", "$ARGUMENTS": arguments, "$1": (*words, "", "")[0], "$2": (*words, "", "")[1]}
    expected = "\n".join(values.get(piece, piece) for piece in pieces)
    rendered = render(body, arguments)
    assert rendered.text.startswith(expected)
    assert all(rendered.text[start:end] in (arguments, *words) for start, end in rendered.typed)


@given(st.text(), st.text())
def test_any_body_and_any_arguments_can_be_rendered(body: str, arguments: str) -> None:
    rendered = render(body, arguments)
    assert "$" in body or rendered.text.startswith(body)
    assert all((word and " " not in word) or f'"{word}"' in arguments for word in words_of(arguments))


def test_a_command_that_would_grow_without_end_is_refused(desk: Desk) -> None:
    place(desk.workspace / OWN / "grow.md", "$ARGUMENTS" * 10_000)
    with pytest.raises(UsageError, match="shorten"):
        desk.prepare("/grow " + "x" * 10_000)


@requirement("RX-13")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"a\0b", "not UTF-8"),
        (b"---\ndescription: x\nbody", "no closing"),
        (b"---\ndescription: x\n---\n \n", "says nothing"),
        (b"", "says nothing"),
        (b"x" * 200_000, "larger than"),
    ],
)
def test_a_file_that_is_no_command_is_told_and_the_next_of_its_name_is_taken(
    desk: Desk, content: bytes, why: str
) -> None:
    bad = place(desk.workspace / OWN / "review.md", content)
    good = place(desk.workspace / OWN / "fine.md", "Fine.")
    [problem] = desk.commands().problems
    assert str(bad) in problem
    assert why in problem
    assert [info.path for info in desk.commands().data] == [str(good)]
    with pytest.raises(UsageError, match=why):
        desk.prepare("/review")
    place(desk.home / OWN / "review.md", "Mine.")
    prepared = desk.prepare("/review")
    assert prepared.text == "Mine."
    assert prepared.notices == [problem]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_is_told(desk: Desk) -> None:
    place(desk.workspace / OWN / "locked.md", "x").chmod(0)
    assert "Permission denied" in desk.commands().problems[0]


def test_what_is_no_ordinary_file_is_told_without_waiting(desk: Desk) -> None:
    folder = desk.workspace / OWN
    folder.mkdir(parents=True)
    os.mkfifo(folder / "pipe.md")
    (folder / "gone.md").symlink_to("nowhere")
    (folder / "loop.md").symlink_to("loop.md")
    assert len(desk.commands().problems) == 3
    for name in ("pipe", "gone", "loop"):
        with pytest.raises(UsageError, match=f"{name}.md is no command"):
            desk.prepare(f"/{name}")


def test_a_link_of_a_project_does_not_leave_the_commands_folder(desk: Desk, tmp_path: Path) -> None:
    secret = place(tmp_path / "secret.md", "private")
    place(tmp_path / "more" / "deep.md", "private")
    place(desk.workspace / "notes.md", "inside the project, outside of the folder")
    folder = desk.workspace / OWN
    real = place(folder / "real.md", "Real.")
    (folder / "twin.md").symlink_to(real)
    (folder / "steal.md").symlink_to(secret)
    (folder / "notes.md").symlink_to("../../notes.md")
    (folder / "more").symlink_to(tmp_path / "more")
    (folder / "again").symlink_to(folder)
    assert names(desk) == ["real", "twin"]
    assert len(desk.commands().problems) == 3
    for name in ("steal", "notes", "more:deep"):
        with pytest.raises(UsageError, match="leads out"):
            desk.prepare(f"/{name}")


def test_a_commands_folder_of_a_project_does_not_leave_the_project(desk: Desk, tmp_path: Path) -> None:
    place(tmp_path / "elsewhere" / "a.md", "private")
    (desk.workspace / ".daedal").mkdir()
    (desk.workspace / OWN).symlink_to(tmp_path / "elsewhere")
    assert names(desk) == []
    assert "leads out" in desk.commands().problems[0]
    with pytest.raises(UsageError, match="leads out"):
        desk.prepare("/a")
    place(desk.workspace / "prompts" / "b.md", "Shared.")
    (desk.workspace / ".claude").mkdir()
    (desk.workspace / CLAUDE).symlink_to("../prompts")
    assert names(desk) == ["b"]


def test_the_user_may_keep_their_commands_elsewhere(desk: Desk, tmp_path: Path) -> None:
    dotfiles = place(tmp_path / "dotfiles" / "review.md", "Mine.")
    (desk.home / OWN).mkdir(parents=True)
    (desk.home / OWN / "review.md").symlink_to(dotfiles)
    assert desk.prepare("/review").text == "Mine."
    assert names(desk) == ["review"]


def test_only_names_that_can_be_typed_are_commands(desk: Desk) -> None:
    folder = desk.workspace / OWN
    for name in ("two words.md", "-dash.md", "a:b.md", "sub dir/x.md", "new\nline.md"):
        place(folder / name, "x")
    place(Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md")), "x")
    for name in ("notes.txt", ".hidden.md", ".git/x.md"):
        place(folder / name, "x")
    assert names(desk) == []
    problems = desk.commands().problems
    assert len(problems) == 6
    assert all(problem.isprintable() for problem in problems)
    place(folder / "überprüfen.v2.md", "ok")
    assert desk.prepare("/überprüfen.v2").text == "ok"


@pytest.mark.parametrize("name", ["x:", "a::x", "a:..:x", "a:..:..:..:x", "a..:x"])
def test_a_name_cannot_climb_out_of_its_folder(desk: Desk, name: str) -> None:
    for folder in (desk.workspace, desk.workspace / ".daedal", desk.workspace / OWN, desk.workspace / OWN / "a"):
        place(folder / "x.md", "x")
    with pytest.raises(UsageError, match="there is no command"):
        desk.prepare(f"/{name}")


@pytest.mark.parametrize("name", ["..:..:x", "..", ".", ":x", "-x"])
def test_what_does_not_begin_like_a_name_is_text(desk: Desk, name: str) -> None:
    assert desk.prepare(f"/{name}").text == f"/{name}"


def test_a_listing_ends_however_much_there_is(desk: Desk) -> None:
    deep = desk.workspace / OWN / "/".join(["d"] * 30)
    place(deep / "x.md", "x")
    place(desk.home / OWN / "mine.md", "Mine.")
    assert names(desk) == ["mine"]
    [problem] = desk.commands().problems
    assert "folders deep" in problem
    wide = desk.workspace / CLAUDE
    wide.mkdir(parents=True)
    for number in range(600):
        (wide / f"{number:04}.md").write_text("x")
    listed = desk.commands()
    assert len(listed.data) == 501
    assert "only 500" in listed.problems[1]


def test_a_command_is_found_among_any_number_of_files(desk: Desk) -> None:
    place(desk.home / OWN / "mine.md", "Mine.")
    wide = desk.workspace / OWN
    place(wide / "review.md", "Review.")
    for number in range(5_000):
        (wide / f"{number}.txt").touch()
    listed = desk.commands()
    assert "mine" in [info.name for info in listed.data]
    assert [problem for problem in listed.problems if "only 5000" in problem] == listed.problems != []
    assert desk.prepare("/review").text == "Review."


def test_only_so_many_problems_are_told(desk: Desk) -> None:
    for number in range(60):
        place(desk.workspace / OWN / f"{number}.md", "")
    problems = desk.commands().problems
    assert len(problems) == 51
    assert "10 more" in problems[-1]


@requirement("RX-13")
def test_an_unknown_command_is_an_error_that_says_what_is_known(desk: Desk) -> None:
    with pytest.raises(UsageError, match=r"nor any other.*space before the slash"):
        desk.prepare("/reveiw")
    for name in ("review", "tests", *(f"n{number}" for number in range(20))):
        place(desk.workspace / OWN / f"{name}.md", "x")
    with pytest.raises(UsageError, match=r"no command /reveiw; did you mean /review\? known are /review, /n0.*space"):
        desk.prepare("/reveiw src")
    with pytest.raises(UsageError, match="no command /zzz; known are /n0, /n1,"):
        desk.prepare("/zzz")


@pytest.mark.parametrize(
    "text", [" /nothing", "/", "/ x", "//x", "/nothing?", "/a/b is broken", "x /nothing", "/no(t)"]
)
def test_what_only_looks_like_a_command_stays_as_it_is(desk: Desk, text: str) -> None:
    assert desk.prepare(text).text == text


def test_a_path_that_exists_is_no_command_unless_there_is_one(desk: Desk, tmp_path: Path) -> None:
    top = "/" + tmp_path.parts[1]
    assert desk.prepare(f"{top} is full").text == f"{top} is full"
    place(desk.workspace / OWN / f"{tmp_path.parts[1]}.md", "A command.")
    assert desk.prepare(top).text == "A command."
