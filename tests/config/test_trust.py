"""What a project brings takes effect only with the content that a person saw."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config import TrustFile, settings_files
from daedal.protocol.errors import ConfigurationError
from tests.config.example import unhurried
from tests.config.gate import Gated, Place, Rules
from tests.toolbox.requirement import requirement

TOML = """model = "theirs"
[permissions]
allow = ["Bash(curl:*)"]
deny = ["Bash(rm:*)"]
[[hooks.PreToolUse]]
matcher = "Bash"
hooks = [{ command = "sh ./hook.sh" }]
"""
CLAUDE = {
    "env": {"TOKEN": "x"},
    "permissions": {"allow": ["Read"], "deny": ["Read(./.env)"], "defaultMode": "plan", "unheard": 1},
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": '"$CLAUDE_PROJECT_DIR"/.claude/end.sh'}]}]},
}
SERVERS = {"mcpServers": {"db": {"command": "node", "args": ["server.js"]}}}


@pytest.fixture
def full(place: Place) -> Place:
    """A project that brings everything."""
    place.write("daedal.toml", TOML)
    place.write("hook.sh", "exit 2\n")
    place.write(".claude/settings.json", CLAUDE)
    place.write(".claude/end.sh", "true\n")
    place.write(".mcp.json", SERVERS)
    return place


@requirement("SD-27")
def test_an_untrusted_project_narrows_but_never_widens_and_says_so_in_one_line(full: Place) -> None:
    found = full.load()
    assert found.value == Gated(permissions=Rules(deny=["Bash(rm:*)", "Read(./.env)"]))
    assert [full.short(warning) for warning in found.warnings] == [
        "project is not trusted, so this of it is ignored: model (daedal.toml:1), permissions.allow (daedal.toml:3), "
        "hooks (daedal.toml:5), hooks (.claude/settings.json:15), permissions.allow (.claude/settings.json:6), "
        "permissions.defaultMode (.claude/settings.json:12), MCP servers (.mcp.json) · look at it with daedal trust"
    ]


@requirement("SD-27")
def test_a_trusted_project_counts_in_full(full: Place) -> None:
    assert full.trust().is_trusted
    found = full.load()
    assert found.value == Gated(
        model="theirs",
        permissions=Rules(allow=["Bash(curl:*)", "Read"], deny=["Bash(rm:*)", "Read(./.env)"], mode="plan"),
        hooks=[
            {"hook_event_name": "PreToolUse", "matcher": "Bash", "hooks": [{"command": "sh ./hook.sh"}]},
            {
                "hook_event_name": "Stop",
                "hooks": [{"type": "command", "command": '"$CLAUDE_PROJECT_DIR"/.claude/end.sh'}],
            },
        ],
    )
    assert found.warnings == []


def test_a_person_reads_what_would_take_effect(full: Place) -> None:
    assert [f"{item.file}: {item.text}" for item in full.state().items] == [
        'daedal.toml: sets model to "theirs"',
        'daedal.toml: sets permissions.allow to ["Bash(curl:*)"]',
        'daedal.toml: runs at PreToolUse for Bash: "sh ./hook.sh"',
        '.claude/settings.json: runs at Stop for *: "\\"$CLAUDE_PROJECT_DIR\\"/.claude/end.sh"',
        '.claude/settings.json: sets permissions.allow to ["Read"]',
        '.claude/settings.json: sets permissions.defaultMode to "plan"',
        '.mcp.json: starts the MCP server "db": {"command":"node","args":["server.js"]}',
        "hook.sh: is named by one of these commands; a change to it asks again",
        ".claude/end.sh: is named by one of these commands; a change to it asks again",
    ]


def test_nothing_invisible_is_shown_as_nothing(place: Place) -> None:
    place.write("daedal.toml", 'model = "a\\u202Eb\\u001b[2J"\n[[hooks.Stop]]\ncommand = "x\\u200b; y"\n')
    texts = [item.text for item in place.state().items]
    assert texts == ['sets model to "a\\u202eb\\u001b[2J"', 'runs at Stop for *: "x\\U0000200b; y"']


@requirement("SD-27")
@pytest.mark.parametrize("name", ["daedal.toml", "hook.sh", ".claude/settings.json", ".claude/end.sh", ".mcp.json"])
def test_a_change_to_anything_that_takes_effect_asks_again(full: Place, name: str) -> None:
    full.trust()
    with (full.root / name).open("a") as file:
        file.write("\n")
    state = full.state()
    assert (state.is_trusted, state.is_changed) == (False, True)
    found = full.load()
    assert found.value.hooks == []
    assert "has changed since you trusted it" in found.warnings[0]
    assert full.trust().is_trusted


def test_a_script_that_appears_later_asks_again(full: Place) -> None:
    full.trust()
    full.write("server.js", "fork()\n")
    assert full.state().is_changed


def test_a_changed_script_is_noticed_though_the_ledger_has_a_copy_and_its_time_is_set_back(full: Place) -> None:
    full.trust()
    assert full.start().value.model == "theirs"
    script = full.root / "hook.sh"
    status = script.stat()
    script.write_text("exit 3\n")
    os.utime(script, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert full.start().value.model == ""


def test_trust_given_or_revoked_counts_from_the_next_start(full: Place) -> None:
    assert full.start().value.hooks == []
    full.trust()
    assert len(full.start().value.hooks) == 2
    assert full.start().is_reused
    assert full.store.revoke(str(full.root))
    assert full.start().value.hooks == []


def test_what_goes_away_asks_nobody(full: Place) -> None:
    full.trust()
    (full.root / ".mcp.json").unlink()
    (full.root / "hook.sh").unlink()
    assert full.state().is_trusted


def test_a_file_that_needs_no_trust_may_change_as_it_likes(place: Place) -> None:
    place.write("daedal.toml", 'name = "a"\n')
    place.write(".mcp.json", SERVERS)
    place.trust()
    place.write("daedal.toml", 'name = "b"\n')
    assert place.state().is_trusted
    place.write("daedal.toml", 'name = "b"\nmodel = "m"\n')
    assert place.state().is_changed


def test_without_anything_to_trust_there_is_nothing_to_say(place: Place) -> None:
    place.write("daedal.toml", 'name = "a"\n')
    state = place.state()
    assert (state.items, state.is_trusted, place.load().warnings) == ([], False, [])


def test_trust_is_neither_for_the_folder_above_nor_for_repositories_inside(full: Place, tmp_path: Path) -> None:
    for folder in (full.root, full.root / "vendor" / "lib", tmp_path):
        (folder / ".git").mkdir(parents=True)
    for folder in (full.root / "vendor" / "lib", tmp_path):
        (folder / "daedal.toml").write_text(TOML)
    full.trust()
    roots = [settings_files(str(folder)).root for folder in (full.root / "vendor" / "lib", tmp_path)]
    assert roots == [str(full.root / "vendor" / "lib"), str(tmp_path)]
    assert not set(roots) & set(full.store.folders())


def test_a_link_that_leads_out_of_the_project_is_not_followed(place: Place, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "settings.json").write_text('{"permissions": {"deny": ["X"]}}')
    (tmp_path / "outside" / "x.toml").write_text('name = "stolen"\n')
    (place.root / ".claude").symlink_to(tmp_path / "outside")
    (place.root / "daedal.toml").symlink_to(tmp_path / "outside" / "x.toml")
    found = place.load()
    assert found.value == Gated()
    assert [("leads out of the project" in warning) for warning in found.warnings] == [True, True]


def test_a_link_inside_the_project_is_fine(place: Place) -> None:
    place.write("settings/own.toml", 'name = "linked"\n')
    (place.root / "daedal.toml").symlink_to("settings/own.toml")
    assert place.load().value.name == "linked"


@pytest.mark.parametrize(
    "command",
    [
        "tools/run.sh",
        "bash tools/run.sh --quick",
        "cd tools && ./run.sh",
        "'$CLAUDE_PROJECT_DIR/tools/run.sh'",
        "${CLAUDE_PROJECT_DIR}/tools/run.sh | tee log",
        "A=1 sh -c './tools/run.sh'",
        "x=$(tools/run.sh)",
        "$(pwd)/tools/run.sh",
        "./tools/../tools/run.sh;true",
    ],
)
def test_however_a_script_is_named_a_change_to_it_asks_again(place: Place, command: str) -> None:
    place.write("tools/run.sh", "true\n")
    place.write(".claude/settings.json", {"hooks": {"Stop": [{"hooks": [{"command": command}]}]}})
    assert "tools/run.sh" in place.trust().files
    place.write("tools/run.sh", "false\n")
    assert place.state().is_changed


def test_where_a_script_links_out_the_link_itself_is_what_is_trusted(place: Place, tmp_path: Path) -> None:
    place.write("daedal.toml", '[[hooks.Stop]]\ncommand = "./run"\n')
    (place.root / "run").symlink_to("/bin/true")
    place.trust()
    (place.root / "run").unlink()
    (place.root / "run").symlink_to("/bin/false")
    assert place.state().is_changed


DEEP = "[" * 5000 + "]" * 5000


@requirement("SD-27")
@pytest.mark.parametrize("name", ["daedal.toml", ".claude/settings.json", ".claude/settings.local.json", ".mcp.json"])
@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00garbage",
        b"= broken",
        b"[1, 2",
        b"[]",
        b"null",
        b'"text"',
        f"x = {DEEP}".encode(),
        DEEP.encode(),
        f'{{"hooks": {DEEP}}}'.encode(),
        b'{"hooks": 3, "permissions": [1], "mcpServers": "x"}',
        b'{"hooks": {"PreToolUse": 3, "Stop": [3, null]}, "permissions": {"allow": 7, "deny": {"a": 1}}}',
        b"hooks = 3\npermissions = 4\nmodel = []\nunheard = 1\n",
        b'{"a": 1, "a": "\\ud800"}',
        b"x = " + b"9" * 100_000,
    ],
)
def test_no_content_of_a_project_stops_anybody(place: Place, name: str, content: bytes) -> None:
    place.write(name, "")
    (place.root / name).write_bytes(content)
    found = place.load()
    assert found.value == Gated()
    place.trust()
    assert place.load().value.permissions == Rules()


@pytest.mark.parametrize("name", ["daedal.toml", ".claude/settings.json", ".mcp.json"])
@pytest.mark.parametrize("kind", ["fifo", "folder", "circle", "dangling", "huge"])
def test_no_kind_of_file_stops_anybody(place: Place, name: str, kind: str) -> None:
    path = place.root / name
    path.parent.mkdir(exist_ok=True)
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "circle":
            path.symlink_to(path.name)
        case "dangling":
            path.symlink_to("nowhere")
        case _:
            with path.open("wb") as file:
                file.truncate(100 * 1024 * 1024)
    found = place.load()
    assert found.value == Gated()
    assert len(found.warnings) == 1


def test_a_script_that_is_a_fifo_or_endless_does_not_keep_anybody_waiting(place: Place) -> None:
    place.write("daedal.toml", '[[hooks.Stop]]\ncommand = "./pipe; ./huge ./folder"\n')
    os.mkfifo(place.root / "pipe")
    (place.root / "folder").mkdir()
    with (place.root / "huge").open("wb") as file:
        file.truncate(50 * 1024**3)
    assert place.trust().is_trusted
    assert set(place.state().files) == {"daedal.toml", "huge"}


def test_a_command_that_names_more_files_than_anybody_can_vouch_for_is_never_trusted(place: Place) -> None:
    decoys = " ".join(f"./decoy{number}" for number in range(600))
    place.write("daedal.toml", f'[[hooks.Stop]]\ncommand = "{decoys} ./real"\n')
    state = place.trust()
    assert not state.is_trusted
    assert any("nobody can vouch" in warning for warning in place.load().warnings)


def test_a_command_of_a_megabyte_is_judged_at_once(place: Place) -> None:
    place.write("a/b", "")
    for word in ("a", "a/b", "x"):
        words = " ".join(f"{'./' * (number % 50)}{word}" for number in range(15_000))
        place.write(".mcp.json", {"mcpServers": {"x": {"command": words}}})
        assert not place.trust().is_trusted


@given(st.text(max_size=200))
@unhurried
def test_whatever_a_command_says_it_can_be_judged(tmp_path_factory: pytest.TempPathFactory, command: str) -> None:
    place = Place(tmp_path_factory.mktemp("p"))
    place.write(".mcp.json", {"mcpServers": {"x": {"command": command.encode("utf-8", "ignore").decode()}}})
    assert place.trust().is_trusted


# --- the file that remembers


def test_the_users_file_is_for_nobody_elses_eyes(full: Place) -> None:
    full.trust()
    assert oct((full.home / "trust.json").stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"folders": 3}', "\0"])
def test_a_damaged_memory_trusts_nothing_and_is_not_overwritten(full: Place, content: str) -> None:
    full.trust()
    (full.home / "trust.json").write_text(content)
    found = full.load()
    assert found.value.hooks == []
    assert any("does not say which folders are trusted" in warning for warning in found.warnings)
    with pytest.raises(ConfigurationError, match="does not say which folders are trusted"):
        full.store.trust("/x", {})
    assert (full.home / "trust.json").read_text() == content


def test_several_processes_may_trust_at_once(place: Place) -> None:
    script = """
import sys
from daedal.config import TrustFile
for number in range(20):
    TrustFile(sys.argv[1]).trust(f"/{sys.argv[2]}/{number}", {"a": "b"})
"""
    path = str(place.home / "trust.json")
    running = [subprocess.Popen([sys.executable, "-c", script, path, str(number)]) for number in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    assert len(TrustFile(path).folders()) == 80
