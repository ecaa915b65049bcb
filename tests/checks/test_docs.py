"""Is what the docs show true? Every command runs, every link leads somewhere, every file that the tour names exists."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from daedal.server.methods import METHODS
from daedal.server.surface import FURTHER
from tests.checks.shown_commands import ShownCommand, pages, shown_commands
from tests.checks.sources import PACKAGE, ROOT
from tests.toolbox.model_server import ModelServer, Recorded, Reply, call, say
from tests.toolbox.program import DEADLINE_S, Daedal

LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")
SOURCE = re.compile(r"`([a-z_]+/(?:[a-z_]+/)*[a-z_]*(?:\.py|\.md)?)`")
SAID = re.compile(r'"[^"]*"|\s*#.*')
PAGES = pages(ROOT)
README, README_ZH = ROOT / "README.md", ROOT / "README.zh.md"
WITH_COMMANDS = [page for page in PAGES if page != README_ZH and list(shown_commands(page.read_text("utf-8")))]


def looks_and_answers(request: Recorded) -> Reply:
    """A model that reads one file before it answers. Asked without tools, as `daedal setup` does, it just answers."""
    asked = request.json
    last = (asked.get("messages") or asked["input"])[-1]
    is_result = "tool_result" in str(last) or last.get("role") == "tool" or last.get("type") == "function_call_output"
    if is_result or not asked.get("tools"):
        return say("It greets people.\n\n[goal:complete]" if b"<active-goal>" in request.body else "It greets people.")
    return call("Read", file_path="README.md")


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    """A small project as the pages assume it: under git, with a README and a file for every file they name."""
    for name, text in {
        "README.md": "# Greeter\n\nSays hello.\n",
        "src/greet.py": "print('hello')\n",
        "reviewer.md": "You review code.\n",
        "key.txt": "sk-not-a-real-key\n",
    }.items():
        path = daedal.workspace / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
        subprocess.run(["git", *identity, *words], cwd=daedal.workspace, check=True, env=daedal.environment())
    return daedal


def run(daedal: Daedal, command: ShownCommand, programs: Path) -> subprocess.CompletedProcess[str]:
    """As a person would: on a terminal, where the first answer that is offered is taken."""
    text = command.about(daedal.session) if command.names_a_session else command.text
    environment = daedal.environment()
    person, terminal = pty.openpty()
    try:
        os.write(person, b"1\n")
        return subprocess.run(
            ["bash", "-c", text],
            cwd=daedal.workspace,
            env={**environment, "PATH": f"{programs}:{environment['PATH']}"},
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=terminal if text.startswith("daedal setup") else subprocess.PIPE,
            text=True,
            timeout=DEADLINE_S,
            start_new_session=True,
        )
    finally:
        os.close(terminal)
        os.close(person)


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with a `daedal` in it that is this one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "daedal"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m daedal "$@"\n')
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=[page.relative_to(ROOT).as_posix() for page in WITH_COMMANDS])
def test_every_command_that_a_page_shows_ends_as_it_says(page: Path, project: Daedal, programs: Path):
    with ModelServer(looks_and_answers) as model:
        project.env.update(model.env())
        for command in shown_commands(page.read_text("utf-8")):
            ended = run(project, command, programs)
            assert ended.returncode == command.code, f"{command.text}\n{ended.stdout}\n{ended.stderr}"


def test_every_method_of_the_server_is_in_its_guide():
    guide = (ROOT / "docs" / "guides" / "app-server.md").read_text("utf-8")
    assert [method for method in {**METHODS, **FURTHER} if f"`{method}`" not in guide and method != "initialize"] == []


def test_the_readme_in_chinese_shows_the_commands_of_the_english_one():
    """Which run; their prompts and remarks are translated."""
    texts = [[command.text for command in shown_commands(page.read_text("utf-8"))] for page in (README, README_ZH)]
    english, chinese = ([SAID.sub("", text) for text in page] for page in texts)
    assert english == chinese


def test_every_link_between_pages_leads_somewhere():
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in PAGES
        for link in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / link).exists()
    ]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("page", ["tour.md", "words.md"])
def test_every_file_of_the_code_that_a_page_names_exists(page: str):
    paths = SOURCE.findall((ROOT / "docs" / page).read_text("utf-8"))
    named = [path for path in paths if (PACKAGE / path.partition("/")[0]).is_dir()]
    assert named
    assert [name for name in named if not (PACKAGE / name).exists()] == []


def test_commands_are_read_from_console_blocks_with_their_ending():
    page = """
```console
$ daedal exec "hello" \\
    --model sonnet
what it prints
$ git diff | daedal exec   # exit 53
$ ./dev test
$ daedal sessions show ID
```

```toml
$ daedal never
```
"""
    assert list(shown_commands(page)) == [
        ShownCommand('daedal exec "hello"     --model sonnet', 0),
        ShownCommand("git diff | daedal exec", 53),
        ShownCommand("daedal sessions show ID", 0),
    ]
    assert ShownCommand("daedal sessions show ID", 0).about("0198") == "daedal sessions show 0198"
