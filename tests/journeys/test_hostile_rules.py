"""Does a rule hold by every door? The user's file, the project's, flags, and what the administrator decided."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

BOTH = calls(("Bash", {"command": "touch one"}), ("Write", {"file_path": "two", "content": "x"}))


def decided(daedal: Daedal) -> list[tuple[str, str]]:
    rows = daedal.rows("SELECT decision, reason_json FROM tool_permission_log ORDER BY id")
    return [(decision, json.loads(reason)["rule"]) for decision, reason in rows]


def managed(daedal: Daedal, tmp_path: Path, text: str) -> Daedal:
    """The same program where an administrator wrote that: /etc is another folder, for it alone."""
    etc = tmp_path / "etc"
    wanted = ("passwd", "group", "hosts", "nsswitch.conf", "resolv.conf", "ld.so.cache", "localtime")
    etc.mkdir()
    for name in wanted:
        if (source := Path("/etc", name)).is_file():
            shutil.copy(source, etc / name)
    for folder in ("ssl", "alternatives"):
        if (source := Path("/etc", folder)).is_dir():
            shutil.copytree(source, etc / folder, symlinks=True, ignore=shutil.ignore_patterns("private"))
    (etc / "daedal").mkdir()
    (etc / "daedal" / "managed.toml").write_text(text)
    walls = [shutil.which("bwrap") or "bwrap", "--dev-bind", "/", "/", "--bind", str(etc), "/etc", "--"]
    return Daedal(daedal.root, daedal.env, [*walls, sys.executable, "-m", "daedal"])


@requirement("SD-15", "RX-10")
def test_a_deny_holds_by_whichever_door_it_came(daedal: Daedal, model):
    configure(daedal, '[permissions]\nallow = ["Bash(touch:*)"]\ndeny = ["Write(two)"]\n')
    (daedal.workspace / "daedal.toml").write_text('[permissions]\ndeny = ["Bash(touch one)"]\n')
    model([BOTH, say("Done.")], after="cycle")
    daedal("exec", "Go.", "--approval", "yolo", "--allow", "Bash", "--allow", "Write")
    assert decided(daedal) == [("deny", "deny: Bash(touch one)"), ("deny", "deny: Write(two)")]


@requirement("SD-15")
def test_an_ask_rule_of_a_project_narrows_too_and_headless_becomes_a_deny(daedal: Daedal, model):
    configure(daedal, '[permissions]\nallow = ["Bash(touch:*)"]\n')
    (daedal.workspace / "daedal.toml").write_text('[permissions]\nask = ["Bash(touch:*)"]\n')
    model([BOTH, say("Done.")])
    daedal("exec", "Go.")
    assert decided(daedal)[0] == ("deny", "ask: Bash(touch:*)")


@requirement("SD-15")
def test_invalid_rules_are_dropped_with_file_and_line_and_the_others_hold(daedal: Daedal, model):
    configure(daedal, '[permissions]\ndeny = [\n  "Bash(",\n  "Bash(touch:*)",\n  7,\n]\n')
    (daedal.workspace / "daedal.toml").write_text('[permissions]\ndeny = ["Write(two)", ")("]\nask = "no list"\n')
    model([BOTH, say("Done.")])
    run = daedal("exec", "Go.")
    assert run.code == 0
    assert [decision for decision, _ in decided(daedal)] == ["deny", "deny"]
    assert "config.toml:3" in run.err
    assert "config.toml:5" in run.err
    assert "daedal.toml:2" in run.err
    assert "daedal.toml:3" in run.err


@requirement("SD-15")
def test_the_administrator_outranks_flags_and_the_user(daedal: Daedal, model, tmp_path: Path):
    configure(daedal, '[permissions]\nallow = ["Bash", "Write"]\n')
    house = managed(daedal, tmp_path, '[permissions]\ndeny = ["Bash(touch:*)"]\n')
    model([BOTH, say("Done.")])
    run = house("exec", "Go.", "--allow", "Bash", "--approval", "yolo")
    assert run.code == 0, run.err
    assert decided(daedal) == [("deny", "deny: Bash(touch:*)"), ("allow", "allow: Write")]
    assert not Path("/etc/daedal/managed.toml").exists()


@requirement("SD-15", "RX-11")
@pytest.mark.parametrize("flags", [("--approval", "yolo"), ("--permission-mode", "bypassPermissions")])
def test_where_bypass_is_disabled_neither_it_nor_yolo_lifts_an_ask(
    daedal: Daedal, model, tmp_path: Path, flags: tuple[str, ...]
):
    text = '[permissions]\ndisableBypassPermissionsMode = "disable"\nask = ["Bash(touch:*)"]\n'
    house = managed(daedal, tmp_path, f"{text}[sandbox]\nenabled = false\n")
    model([BOTH, say("Done.")])
    run = house("exec", "Go.", *flags)
    assert run.code == 0, run.err
    assert [decision for decision, _ in decided(daedal)] == ["deny", "deny"]


@requirement("SD-15")
def test_where_bypass_is_disabled_no_flag_takes_the_walls_down(daedal: Daedal, model, tmp_path: Path):
    house = managed(daedal, tmp_path, '[permissions]\ndisableBypassPermissionsMode = "disable"\n')
    (tmp_path / "tmp").mkdir()
    model([call("Bash", command=f"touch {tmp_path}/outside"), say("Done.")])
    run = house("exec", "Go.", "--no-sandbox", TMPDIR=str(tmp_path / "tmp"), DAEDAL_NO_SANDBOX="1")
    assert run.code == 0, run.err
    assert "switched off here" in run.err
    assert not (tmp_path / "outside").exists()


@requirement("SD-15")
def test_only_managed_rules_count_where_the_administrator_says_so(daedal: Daedal, model, tmp_path: Path):
    configure(daedal, '[permissions]\nallow = ["Bash"]\ndeny = ["Write"]\n')
    text = '[permissions]\nallowManagedPermissionRulesOnly = true\nallow = ["Write(two)"]\n'
    house = managed(daedal, tmp_path, text)
    model([BOTH, say("Done.")])
    run = house("exec", "Go.", "--allow", "Bash(touch:*)", "--no-sandbox")
    assert run.code == 0, run.err
    assert decided(daedal) == [("deny", "fallback"), ("allow", "allow: Write(two)")]
    listed = house("permissions", "--json").json
    assert listed["allowManagedPermissionRulesOnly"]


@requirement("SD-15")
@pytest.mark.parametrize("text", ["[permissions]\ndenny = []\n", "not toml", '[permissions]\ndeny = ["Bash("]\n'])
def test_managed_settings_with_a_mistake_stop_the_program_instead_of_falling_away(
    daedal: Daedal, model, tmp_path: Path, text: str
):
    house = managed(daedal, tmp_path, text)
    server = model([BOTH, say("Done.")])
    run = house("exec", "Go.")
    assert "managed.toml" in run.err
    assert "Traceback" not in run.err
    if "Bash(" not in text:
        assert run.code == 2
        assert server.requests == []


@requirement("SD-15")
def test_the_reasons_of_a_verdict_can_be_asked_for(daedal: Daedal):
    configure(daedal, '[permissions]\ndeny = ["Bash(git push:*)"]\nallow = ["Bash(git:*)"]\n')
    told = daedal("permissions", "why", "Bash(git push)", "--json").json
    assert (told["decision"], told["rule"]) == ("deny", "deny: Bash(git push:*)")
    assert told["rules"] == {"deny": ["Bash(git push:*)"], "ask": [], "allow": ["Bash(git:*)"]}
    assert daedal("permissions", "why", "Bash(git status)", "--json").json["decision"] == "allow"
    wrong = daedal("permissions", "why", "Bash", "--input", "{")
    assert (wrong.code, "Traceback" in wrong.err) == (2, False)


@requirement("RX-10")
def test_rules_are_added_and_removed_and_what_is_no_rule_is_refused(daedal: Daedal):
    config = configure(daedal, "# mine\n")
    assert daedal("permissions", "add", "deny", "Bash(curl:*)").code == 0
    assert "Bash(curl:*)" in config.read_text()
    assert daedal("permissions", "add", "deny", "Bash(").code == 2
    assert daedal("permissions", "add", "perhaps", "Bash").code == 2
    assert daedal("permissions", "remove", "deny", "Bash(curl:*)").code == 0
    assert "curl" not in config.read_text()
    assert "# mine" in config.read_text()
