"""Do the commands about rules, hooks, trust and memory change what holds, and show it?"""

import json
from collections.abc import Callable
from pathlib import Path

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, again, answered, ask, command, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


@requirement("RX-15", "RX-11")
def test_a_rule_for_the_session_counts_at_once_and_is_written_nowhere(terminal: Terminal, model: Model, daedal: Daedal):
    configure(daedal, '[permissions]\ndeny = ["Bash(rm:*)"]\n')
    model([call("Bash", command="touch a"), say("One."), call("Bash", command="touch b"), say("Two.")])
    screen = ready(terminal(rows=45))
    command(screen, "/permissions", "~/.daedal/config.toml:2")
    assert "Bash(rm:*)" in screen.text
    command(screen, "/permissions add allow Bash(touch:*)", "for how long").press("s")
    screen.until("holds until the end of this session")
    command(screen, "/permissions why Bash(touch a)", "Bash(touch a): allow")
    ask(screen, "make a", "One.")
    assert (daedal.workspace / "a").exists()
    command(screen, "/permissions", again("Where no rule speaks"))
    assert "Bash(touch:*)  this session" in screen.text
    command(screen, "/permissions remove allow Bash(touch:*)", "is removed from this session")
    screen.until(IDLE).type("make b\r")
    screen.until("touch b").until("May it").press("n")
    answered(screen, "Two.")
    assert "touch" not in (daedal.home / ".daedal" / "config.toml").read_text()


@requirement("RX-15")
def test_a_rule_for_good_counts_at_once_and_stands_in_the_file_until_it_is_removed(
    terminal: Terminal, model: Model, daedal: Daedal
):
    model([])
    file = daedal.home / ".daedal" / "config.toml"
    screen = ready(terminal(rows=45))
    command(screen, "/permissions add deny Bash(curl:*)", "for how long").press("u")
    screen.until("is written to ~/.daedal/config.toml")
    assert "Bash(curl:*)" in file.read_text()
    command(screen, "/permissions why Bash(curl x)", "Bash(curl x): deny")
    command(screen, "/permissions remove deny Bash(curl:*)", "is removed from ~/.daedal/config.toml")
    assert "curl" not in file.read_text()
    command(screen, "/permissions remove deny Bash(curl:*)", "there is no rule Bash(curl:*)")
    command(screen, "/permissions add allow Bash(", "for how long").press("s")
    screen.until(again("is no rule"))
    command(screen, "/permissions frob", "/permissions add allow|ask|deny RULE")


@requirement("RX-15")
def test_hooks_are_listed_and_one_that_denied_differs_from_one_that_broke(
    terminal: Terminal, model: Model, daedal: Daedal
):
    hooks = [("Bash", "echo not today >&2; exit 2"), ("Read", "exit 7")]
    lines = [
        f'[[hooks]]\nhook_event_name = "PreToolUse"\nmatcher = "{tool}"\ncommand = {json.dumps(line)}\n'
        for tool, line in hooks
    ]
    configure(daedal, "\n".join(lines))
    (daedal.workspace / "a.txt").write_text("a")
    model([call("Bash", command="ls"), call("Read", file_path=str(daedal.workspace / "a.txt")), say("So it is.")])
    screen = ready(terminal(columns=140, rows=45))
    command(screen, "/hooks", "exit 7")
    assert "What they did last" not in screen.text
    ask(screen, "go", "So it is.")
    command(screen, "/hooks", "What they did last")
    assert "denied the call" in screen.text
    assert "broke (exit code 7)" in screen.text
    assert "not today" in screen.text


@requirement("RX-15")
def test_a_folder_is_trusted_after_a_look_and_trust_is_taken_back(terminal: Terminal, model: Model, daedal: Daedal):
    (daedal.workspace / "daedal.toml").write_text('[permissions]\nallow = ["Bash(make:*)"]\n')
    model([])
    screen = ready(terminal(columns=200, rows=45))
    screen.until("look at it with /trust")
    assert "daedal trust" not in screen.text
    command(screen, "/trust", "Trust this folder").press("n")
    screen.until("The folder is not trusted.")
    assert 'sets permissions.allow to ["Bash(make:*)"]' in screen.text
    command(screen, "/trust", "Trust this folder").press("y")
    screen.until("is trusted. That takes effect with the next start")
    assert str(daedal.workspace) in daedal("trust", "--list").out
    command(screen, "/trust", "is trusted. In effect:")
    command(screen, "/trust revoke", "is not trusted any more")
    assert str(daedal.workspace) not in daedal("trust", "--list").out


@requirement("RX-15")
def test_what_is_remembered_is_found_read_mended_and_forgotten(
    terminal: Terminal, model: Model, daedal: Daedal, tmp_path: Path
):
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "The pear is green." > "$1"\n')
    editor.chmod(0o755)
    model([call("remember", title="Fruit", content="The pear is ripe."), say("Kept.")])
    screen = ready(terminal(rows=45, EDITOR=str(editor), VISUAL=str(editor)))
    command(screen, "/memory", "Nothing is remembered yet")
    screen.type("remember it\r")
    screen.until("The pear is ripe.").until("May it").press("y")
    answered(screen, "Kept.")
    command(screen, "/memory search pear", again("Fruit"))
    (memory,) = daedal.rows("SELECT id FROM memories")
    command(screen, f"/memory show {memory[0]}", "  The pear is ripe.")
    command(screen, f"/memory edit {memory[0]}", "Changed: Fruit")
    assert daedal.rows("SELECT content FROM memories") == [("The pear is green.",)]
    command(screen, f"/memory forget {memory[0]}", "Shall this be forgotten?").press("y")
    screen.until("Forgotten: Fruit")
    assert daedal.rows("SELECT id FROM memories") == []
    command(screen, "/memory frob", again("/memory search WORDS"))
