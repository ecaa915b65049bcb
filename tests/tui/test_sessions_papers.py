"""Can a person take something away from a session: a document, an answer, a plan, a diff, a report?"""

import base64
import json
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, answered, ask, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]
ANSWER = "Here:\n\n```python\nprint('first')\n```\n\nand\n\n```\nsecond block\n```\n"
LOOKALIKE = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def repository(folder: Path) -> None:
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "First steps"], ["branch", "side"]):
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


@requirement("SD-08")
def test_exports_copies_and_a_report_without_secrets(terminal: Terminal, model: Model, daedal: Daedal):
    model([say(ANSWER)])
    secret = "a-key-that-looks-like-nothing"
    config = daedal.home / ".daedal" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(
        f'[[plugins]]\nname = "side"\ncommand = "false"\nenv = {{ SIDE_KEY = "plainlooking-{"x" * 12}" }}\n'
    )
    screen = ready(terminal(columns=160, ANTHROPIC_API_KEY=secret))
    for typed in ("/export", "/copy", "/fork"):
        screen.type(f"{typed}\r")
    screen.until("nothing to export").until("no answer to copy").until("nothing to copy")
    ask(screen, f"remember {LOOKALIKE}", "second block")

    screen.type("/export out.md\r")
    screen.until("out.md ·")
    first = (daedal.workspace / "out.md").read_text()
    assert "second block" in first
    assert LOOKALIKE not in first
    screen.type("/export out.md\r")
    screen.until("is there already").press("escape")
    screen.until(IDLE).type("/export json out.json\r")
    screen.until("out.json ·")
    assert json.loads((daedal.workspace / "out.json").read_text())[0]["type"] == "session"
    screen.type("/export\r")
    screen.until(lambda screen: re.search(r"daedal-\d{4}-\d\d-\d\d-\w+\.md · ", screen.text) is not None)
    assert len(list(daedal.workspace.glob("daedal-*.md"))) == 1

    screen.type("/copy 2\r")
    screen.until("13 characters handed to your terminal")
    screen.type("/copy 3\r")
    screen.until("no block 3 in the last answer")
    sent = re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07", bytes(screen.raw))
    assert [base64.b64decode(one).decode() for one in sent] == ["second block\n"]
    assert (daedal.home / ".daedal" / "copied.txt").read_text() == "second block\n"

    screen.type("/report\r")
    screen.until("Nothing was sent anywhere.").until("decisions.json")
    (bundle,) = (daedal.home / ".daedal" / "reports").glob("*.zip")
    with zipfile.ZipFile(bundle) as opened:
        pages = {name: opened.read(name).decode() for name in opened.namelist()}
    assert {"versions.json", "settings.json", "session.jsonl", "decisions.json"} <= set(pages)
    assert "second block" in pages["session.jsonl"]
    for hidden in (secret, LOOKALIKE, "plainlooking-"):
        assert [name for name, text in pages.items() if hidden in text] == []


@requirement("SD-08")
def test_diffs_todos_plans_and_reviews(terminal: Terminal, model: Model, daedal: Daedal):
    (daedal.workspace / "old.txt").write_text("old\n")
    repository(daedal.workspace)
    todos = [
        {"content": "Look", "status": "completed", "activeForm": "Looking"},
        {"content": "Leap", "status": "in_progress", "activeForm": "Leaping"},
    ]
    server = model(
        [
            call("Write", file_path=str(daedal.workspace / "new.txt"), content="brand new\n"),
            call("TodoWrite", todos=todos),
            say("Made."),
            say("Reviewed: fine."),
            say("Reviewed: the branch."),
            call("ExitPlanMode", plan="# Plan\n\nFirst look, then leap."),
            say("As you like."),
        ]
    )
    screen = ready(terminal("--permission-mode", "acceptEdits"), "edits accepted")
    screen.type("/diff\r")
    screen.until("Nothing is changed.")
    screen.type("/todos\r")
    screen.until("no list yet")
    ask(screen, "make it", "Made.")
    (daedal.workspace / "old.txt").write_text("changed by hand\n")
    screen.type("/diff\r")
    screen.until("Changed by this session: 1 files").until("+brand new").press("q")
    screen.until(IDLE).type("/diff git\r")
    screen.until("Not committed yet: 2 files").until("+changed by hand").until("+brand new").press("q")
    screen.until(IDLE).type("/todos\r")
    screen.until("1 of 2 done").until("◐ Leap")

    screen.type("/review\r")
    screen.until("What shall be reviewed?").press("u")
    answered(screen, "Reviewed: fine.")
    assert "Review of the changes that are not committed" in screen.scrollback
    assert screen.scrollback.count("Reviewed: fine.") == 1
    screen.type("/review\r")
    screen.until("What shall be reviewed?").press("b")
    screen.until("Against which branch?").until("❯ side").press("enter")
    answered(screen, "Reviewed: the branch.")
    assert "against side" in server.requests[-1].body.decode()

    screen.type("/plan show\r")
    screen.until("There is no plan yet.")
    screen.type("/plan think of something\r")
    screen.until("Plan mode: nothing is changed until").until("First look, then leap.")
    screen.press("n")
    screen.until("What shall be different?").type("leap first\r")
    answered(screen, "As you like.").until("plan mode (Shift+Tab)")
    screen.type("/plan\r")
    screen.until("The plan (not approved yet)").until("/plan off leaves it")
    screen.type("/plan off\r")
    screen.until("Plan mode is off.").gone("plan mode (Shift+Tab)")
    assert "First look, then leap." in screen.text
