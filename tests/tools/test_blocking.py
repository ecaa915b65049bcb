"""Is it recognised, and told, when the walls are why a command failed, and only then?"""

from pathlib import Path
from typing import Any

import pytest

from daedal.protocol.confinement import Confinement, Network
from daedal.tools import ToolSettings
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk


def desk_within(folder: Path, **walls: Any) -> Desk:
    workspace = str(folder / "ws")
    writable = [workspace, *walls.pop("writable", [])]
    return Desk(folder, ToolSettings(), Confinement(workspace=workspace, writable=writable, **walls))


@requirement("RX-16")
@pytest.mark.parametrize(
    "command",
    [
        "echo x > {outside}/new",
        "touch {outside}/new",
        "cp /etc/hostname {outside}/new",
        "python3 -c \"open('{outside}/new', 'w')\"",
        "mkdir {outside}/new",
        "rm {outside}/new",
    ],
)
def test_writing_outside_is_told_with_its_path(tmp_path: Path, command: str):
    outside = tmp_path / "outside"
    outside.mkdir()
    if command.startswith("rm"):
        (outside / "new").touch()
    outcome = desk_within(tmp_path).do("Bash", command=command.format(outside=outside))
    assert (outcome.is_error, outcome.blocked) == (True, f"writing {outside}/new")
    assert "The sandbox kept this command from" in outcome.content
    assert str(tmp_path / "ws") in outcome.content


def test_a_write_said_from_another_folder_is_told_too(tmp_path: Path):
    outcome = desk_within(tmp_path).do("Bash", command=f"cd {tmp_path} && touch new")
    assert outcome.blocked == "writing outside the folders that may be written"


def test_writing_what_steers_git_is_told(tmp_path: Path):
    desk = desk_within(tmp_path)
    desk.put(".git/config", "[core]\n\trepositoryformatversion = 0\n")
    for name in ("objects", "refs", "hooks"):
        (desk.root / ".git" / name).mkdir()
    desk.put(".git/HEAD", "ref: refs/heads/main\n")
    outcome = desk.do("Bash", command="git config user.name mallory")
    assert outcome.blocked == f"writing {desk.root}/.git/config"


def test_reading_what_is_forbidden_is_told(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("precious")
    outcome = desk_within(tmp_path, unreadable=[str(secret)]).do("Bash", command=f"cat {secret}/key")
    assert outcome.blocked == f"reading {secret}/key"


@pytest.mark.parametrize(
    ("command", "host"),
    [
        ("curl -sS https://api.example.org/x", "api.example.org"),
        ("python3 -c 'import urllib.request as r; r.urlopen(\"https://api.example.org\")'", None),
        ("git ls-remote https://api.example.org/x.git", "api.example.org"),
        ("exec 3<>/dev/tcp/192.0.2.1/80", None),
    ],
)
def test_the_network_that_is_off_is_told(tmp_path: Path, command: str, host: str | None):
    outcome = desk_within(tmp_path).do("Bash", command=command)
    assert outcome.blocked == (f"network: {host}" if host else "network")


def test_a_domain_that_is_not_listed_is_told(tmp_path: Path):
    desk = desk_within(tmp_path, network=Network.LISTED, domains=["example.org"])
    outcome = desk.do("Bash", command="curl -sSf http://api.other.net/x")
    assert outcome.blocked == "network: api.other.net"
    assert "Of the network only example.org can be reached" in outcome.content


@pytest.mark.parametrize(
    "command",
    [
        "exit 1",
        "echo 'FAILED test_x: assert 1 == 2' >&2; exit 1",
        "cat /no/such/file",
        "no-such-program",
        "echo text > plain; ./plain",
        "echo \"PermissionError: [Errno 13] Permission denied: '/etc/passwd'\" >&2; exit 1",
        "python3 -c \"import os; os.mkdir('a'); os.chmod('a', 0); open('a/b')\"",
        "echo 'E OSError: Operation not permitted' ; false",
        "curl -sS http://127.0.0.1:1/",
        "grep -r x . ; ls /nowhere",
        "rmdir .",
        "kill -9 $$",
    ],
)
def test_a_failure_of_its_own_is_not_blamed_on_the_walls(tmp_path: Path, command: str):
    outcome = desk_within(tmp_path).do("Bash", command=command)
    assert outcome.is_error
    assert outcome.blocked is None
    assert "sandbox" not in outcome.content


def test_a_command_that_succeeds_is_never_called_blocked(tmp_path: Path):
    outcome = desk_within(tmp_path).do("Bash", command=f"touch {tmp_path}/new; echo done")
    assert (outcome.is_error, outcome.blocked) == (False, None)


@requirement("RX-16")
def test_a_call_that_a_person_let_out_is_not_confined(tmp_path: Path):
    desk = desk_within(tmp_path)
    desk.is_let_out = True
    assert not desk.do("Bash", command=f"echo x > {tmp_path}/new").is_error
    assert (tmp_path / "new").read_text() == "x\n"


@requirement("AU-18")
def test_walls_that_are_switched_off_confine_nothing(tmp_path: Path):
    desk = desk_within(tmp_path, enabled=False)
    bash = desk.tools.get("Bash")
    assert bash is not None
    assert not bash.is_confined({"command": "true"}, desk.cwd)
    assert not desk.do("Bash", command=f"echo x > {tmp_path}/new").is_error


def test_a_call_counts_as_confined_while_walls_stand_and_it_does_not_want_out(tmp_path: Path):
    desk = desk_within(tmp_path)
    bash = desk.tools.get("Bash")
    assert bash is not None

    async def scenario() -> None:
        assert bash.is_confined({"command": "true"}, desk.cwd)
        assert bash.is_confined({"command": "true", "dangerouslyDisableSandbox": False}, desk.cwd)
        for wish in (True, "true", 1, "no"):
            assert not bash.is_confined({"command": "true", "dangerouslyDisableSandbox": wish}, desk.cwd)

    desk.run(scenario())


def test_wanting_out_alone_lets_nothing_out(tmp_path: Path):
    desk = desk_within(tmp_path)
    outcome = desk.do("Bash", command=f"touch {tmp_path}/new", dangerouslyDisableSandbox=True)
    assert outcome.blocked == f"writing {tmp_path}/new"


def test_a_background_command_is_confined(tmp_path: Path):
    desk = desk_within(tmp_path)

    async def scenario() -> str:
        outcome = await desk.call("Bash", command=f"touch {tmp_path}/new; touch in", run_in_background=True)
        path = Path(outcome.content.partition("written to: ")[2].partition(". Its")[0])
        await desk.call("Bash", command="until [ -e in ]; do sleep 0.01; done")
        return path.read_text()

    assert "Read-only file system" in desk.run(scenario())


def test_cd_is_followed_through_the_walls(tmp_path: Path):
    desk = desk_within(tmp_path)
    (desk.root / "sub").mkdir()

    async def scenario() -> tuple[str, str]:
        await desk.call("Bash", command="cd sub")
        return (await desk.call("Bash", command="pwd")).content, desk.cwd

    assert desk.run(scenario()) == (f"{desk.root}/sub\n", f"{desk.root}/sub")
