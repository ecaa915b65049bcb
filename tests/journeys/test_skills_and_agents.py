"""Which skills and agents are there? What `daedal skills` and `daedal agents` say, and how they take hostile files."""

from pathlib import Path

import pytest

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

HOSTILE = '---\nname: "x\\x1b[2J"\ndescription: d\n---\nbody\n'


def skill(root: Path, name: str, said: str = "", body: str = "Do it.") -> Path:
    path = root / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\ndescription: The skill {name}.\n{said}---\n{body}\n")
    return path


def agent(root: Path, name: str, said: str = "", body: str = "You do it.") -> Path:
    path = root / "agents" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\ndescription: The agent {name}.\n{said}---\n{body}\n")
    return path


@requirement("RX-19")
def test_skills_are_listed_with_their_origin_and_shown_as_the_model_reads_them(daedal: Daedal):
    file = skill(daedal.workspace / ".claude", "review", "argument-hint: [path]\n", "Review $ARGUMENTS.")
    skill(daedal.home / ".claude", "deploy", "context: fork\nmodel: sonnet\n")
    run = daedal("skills")
    assert (run.code, run.err) == (0, "")
    assert [line.split("  ")[0] for line in run.out.splitlines()] == ["SKILL", "review", "deploy"]
    listed = daedal("skills", "list", "--json").json
    assert [(one["name"], one["source"], one["runs_on"]) for one in listed["skills"]] == [
        ("review", "project", None),
        ("deploy", "user", "sonnet"),
    ]
    shown = daedal("skills", "show", "--json", "review").json
    assert shown["text"] == f"Base directory of this skill: {file.parent}\n\nReview ."
    assert "Review ." in daedal("skills", "show", "review").out


@requirement("RX-19")
def test_settings_hide_skills_add_folders_and_choose_models(daedal: Daedal):
    skill(daedal.home / ".agents", "old")
    skill(daedal.home / ".claude", "review", "runAs: subagent\nmodel: opus\n")
    skill(daedal.home / "mine", "extra", "runAs: subagent\n")
    (daedal.home / ".daedal").mkdir()
    (daedal.home / ".daedal" / "config.toml").write_text(
        '[skills]\npaths = ["~/mine/skills"]\nexcluded_paths = ["~/.agents/skills"]\n'
        '[agent]\nsubagent_model = "haiku"\nsubagent_models = { review = "sonnet" }\n'
    )
    listed = daedal("skills", "--json").json["skills"]
    assert {one["name"]: (one["source"], one["runs_on"]) for one in listed} == {
        "extra": ("configured", "haiku"),
        "review": ("user", "sonnet"),
    }
    (daedal.workspace / "daedal.toml").write_text('[skills]\ndisabled_skills = ["review"]\n')
    assert [one["name"] for one in daedal("skills", "--json").json["skills"]] == ["extra"]
    run = daedal("skills", "show", "review")
    assert run.code == 2
    assert "is disabled" in run.err


def test_agents_are_listed_with_those_that_are_built_in_and_shown_with_their_prompt(daedal: Daedal):
    agent(daedal.workspace / ".claude", "reviewer", "tools: Read, Grep\nmaxTurns: 5\n", "You review.")
    run = daedal("agents")
    assert (run.code, run.err) == (0, "")
    assert [line.split("  ")[0] for line in run.out.splitlines()] == ["AGENT", "Explore", "general-purpose", "reviewer"]
    shown = daedal("agents", "show", "reviewer", "--json").json
    assert (shown["prompt"], shown["tools"], shown["max_turns"]) == ("You review.", ["Read", "Grep"], 5)
    assert "tools: Read, Grep" in daedal("agents", "show", "reviewer").out


def test_a_strangers_project_chooses_no_model(daedal: Daedal):
    skill(daedal.workspace / ".claude", "review", "context: fork\nmodel: opus\n")
    agent(daedal.workspace / ".claude", "reviewer", "model: opus\n")
    for command, kind in (("skills", "review"), ("agents", "reviewer")):
        listed = daedal(command, "--json").json
        assert {one["name"]: one["runs_on"] for one in listed[command]}[kind] is None
        assert "chooses the model 'opus'" in listed["problems"][0]
        assert "chooses the model 'opus'" in daedal(command).err


def test_a_choice_of_model_counts_once_the_file_is_trusted_until_it_changes(daedal: Daedal):
    files = [
        skill(daedal.workspace / ".claude", "review", "context: fork\nmodel: opus\n"),
        agent(daedal.workspace / ".claude", "reviewer", "model: opus\n"),
    ]
    told = daedal("trust", "--yes")
    assert told.code == 0
    assert ".claude/skills/review/SKILL.md: chooses the model 'opus'" in told.out
    assert ".claude/agents/reviewer.md: chooses the model 'opus'" in told.out
    for file, (command, kind) in zip(files, (("skills", "review"), ("agents", "reviewer")), strict=True):
        assert {one["name"]: one["runs_on"] for one in daedal(command, "--json").json[command]}[kind] == "opus"
        file.write_text(file.read_text() + "More.\n")
        assert {one["name"]: one["runs_on"] for one in daedal(command, "--json").json[command]}[kind] is None
    assert daedal("trust", "--json").json["is_changed"] is True


def test_hostile_files_are_told_and_nothing_of_them_acts(daedal: Daedal, tmp_path: Path):
    for root in (daedal.workspace / ".daedal", daedal.workspace / ".claude"):
        skill(root, "fine", body="Ring \x07 and clear \x1b[2J.")
        agent(root, "fine", body="Ring \x07 and clear \x1b[2J.")
    (daedal.workspace / ".daedal/skills/bad").mkdir()
    (daedal.workspace / ".daedal/skills/bad/SKILL.md").write_text(HOSTILE)
    (daedal.workspace / ".daedal/agents/bad.md").write_text(HOSTILE)
    secret = tmp_path / "secret.md"
    secret.write_text("---\ndescription: private\n---\nprivate\n")
    (daedal.workspace / ".claude/agents/steal.md").symlink_to(secret)
    for command in ("skills", "agents"):
        run = daedal(command)
        assert run.code == 0
        assert "is no name" in run.err
        assert "private" not in run.out
        assert "\x1b" not in run.out + run.err
        shown = daedal(command, "show", "fine")
        assert shown.code == 0
        assert not {"\x1b", "\x07"} & set(shown.out)


@pytest.mark.parametrize("command", ["skills", "agents"])
def test_mistakes_are_sentences(daedal: Daedal, command: str):
    for words in (["show"], ["list", "x"], ["show", "nothing"], ["show", "../x"], ["-C", "/nowhere-at-all"], ["what"]):
        run = daedal(command, *words)
        assert run.code == 2, words
        assert "Traceback" not in run.err
        assert run.err
