"""What does a command see of the file system, and what can it change?"""

import os
from pathlib import Path

import pytest

from daedal.sandbox import ConfinedSpawner
from tests.sandbox.jailhouse import Jailhouse
from tests.toolbox.requirement import requirement


@requirement("RX-16", "AU-18")
def test_only_what_may_be_written_can_be(jailhouse: Jailhouse):
    more, home = jailhouse.outside / "more", jailhouse.outside / "home"
    more.mkdir()
    home.mkdir()
    jailhouse.walls_say = {"writable": [more]}
    finish = jailhouse.run(
        f"echo a > in; echo b > {more}/in; echo c > {jailhouse.outside}/out; echo d > $HOME/.daedal-x",
        env={"HOME": str(home)},
    )
    assert finish.stderr.count(b"Read-only file system") == 2
    assert ((jailhouse.ws / "in").read_text(), (more / "in").read_text()) == ("a\n", "b\n")
    assert sorted(os.listdir(jailhouse.outside)) == ["home", "more", "precious"]
    assert os.listdir(home) == []


def test_everything_else_can_be_read(jailhouse: Jailhouse):
    assert jailhouse.run(f"cat {jailhouse.outside}/precious").stdout == b"precious\n"


@requirement("AU-17")
def test_a_hole_in_a_writable_folder_is_read_only_and_stays_where_it_is(jailhouse: Jailhouse):
    hole = jailhouse.ws / "deep" / "state"
    hole.mkdir(parents=True)
    (hole / "file").write_text("kept")
    jailhouse.walls_say = {"read_only": [hole]}
    attempts = [
        "echo x > deep/state/file", "echo x > deep/state/new", "rm -rf deep/state", "mv deep/state elsewhere",
        "mv deep elsewhere", "ln deep/state/file hard", "cp --remove-destination x deep/state/file",
    ]  # fmt: skip
    assert jailhouse.run("cat deep/state/file; " + "; ".join(attempts)).stdout == b"kept"
    assert (hole / "file").read_text() == "kept"
    assert os.listdir(hole) == ["file"]
    assert not (jailhouse.ws / "hard").exists()


@requirement("AU-17")
def test_a_state_folder_that_does_not_exist_cannot_be_made(jailhouse: Jailhouse):
    state = jailhouse.ws / ".daedal"
    jailhouse.walls_say = {"read_only": [state]}
    finish = jailhouse.run("mkdir .daedal; echo x > .daedal/status.json; mv .daedal away; rmdir .daedal; ls -A")
    assert (finish.stdout, finish.stderr.count(b"\n")) == (b".daedal\n", 4)
    assert not state.exists()


def test_what_somebody_put_into_the_place_that_was_held_is_theirs(jailhouse: Jailhouse):
    state = jailhouse.ws / ".daedal"
    jailhouse.walls_say = {"read_only": [state]}

    async def scenario(walls: ConfinedSpawner) -> None:
        await walls.run(jailhouse.job("true"))
        (state / "agent.json").write_text("{}")

    jailhouse.within(scenario)
    assert (state / "agent.json").read_text() == "{}"


def test_commands_cannot_write_what_steers_the_agent_or_git(jailhouse: Jailhouse):
    (jailhouse.ws / ".git" / "hooks").mkdir(parents=True)
    (jailhouse.ws / ".git" / "config").write_text("[core]\n")
    for name in ("daedal.toml", ".mcp.json"):
        (jailhouse.ws / name).write_text("")
    (jailhouse.ws / ".claude").mkdir()
    attempts = "echo x > .git/hooks/post-commit; git config user.name mallory; mv .git g; echo x > .git/index;"
    attempts += "echo x > daedal.toml; echo x > .mcp.json; echo x > .claude/settings.json; mv daedal.toml y"
    jailhouse.run(attempts)
    assert os.listdir(jailhouse.ws / ".git" / "hooks") == []
    assert (jailhouse.ws / ".git" / "config").read_text() == "[core]\n"
    assert (jailhouse.ws / ".git" / "index").read_text() == "x\n"
    assert ((jailhouse.ws / "daedal.toml").read_text(), (jailhouse.ws / ".mcp.json").read_text()) == ("", "")
    assert os.listdir(jailhouse.ws / ".claude") == []


def test_what_steers_is_held_as_soon_as_it_is_there(jailhouse: Jailhouse):
    jailhouse.run("git init -q .", "echo x > .git/hooks/post-commit")
    assert not (jailhouse.ws / ".git" / "hooks" / "post-commit").exists()


def test_what_may_be_written_inside_a_hole_can_be_but_not_a_hole_in_that(jailhouse: Jailhouse):
    hole, opened = jailhouse.ws / "hole", jailhouse.ws / "hole" / "open"
    closed = opened / "closed"
    closed.mkdir(parents=True)
    jailhouse.walls_say = {"read_only": [hole, closed], "writable": [opened]}
    jailhouse.run("echo x > hole/a; echo x > hole/open/b; echo x > hole/open/closed/c; mv hole/open/closed hole/open/d")
    assert sorted(str(path.relative_to(hole)) for path in hole.rglob("*")) == ["open", "open/b", "open/closed"]


def test_a_workspace_inside_a_hole_keeps_what_steers(jailhouse: Jailhouse):
    jailhouse.walls_say = {"read_only": [jailhouse.ws.parent]}
    (jailhouse.ws / "daedal.toml").write_text("")
    finish = jailhouse.run("echo x > a; echo x > daedal.toml; mkdir .claude; echo x > ../outside/precious; ls -A")
    assert finish.stderr.count(b"Read-only file system") == 2
    assert b"a\n" in finish.stdout
    assert (jailhouse.ws / "daedal.toml").read_text() == ""


def test_a_worktrees_pointer_to_its_repository_stays_as_it_is(jailhouse: Jailhouse):
    (jailhouse.ws / ".git").write_text("gitdir: elsewhere\n")
    jailhouse.run("echo gitdir: evil > .git; rm -f .git; mv .git x; ln -sf evil .git; mv -T x .git")
    assert (jailhouse.ws / ".git").read_text() == "gitdir: elsewhere\n"


def forbidden_file(house: Jailhouse) -> list[Path]:
    return [house.outside / "precious"]


def forbidden_folder(house: Jailhouse) -> list[Path]:
    return [house.outside]


def forbidden_link(house: Jailhouse) -> list[Path]:
    (house.ws / "link").symlink_to(house.outside)
    return [house.ws / "link"]


def forbidden_twice(house: Jailhouse) -> list[Path]:
    return [house.outside, house.outside / "precious"]


def forbidden_and_writable(house: Jailhouse) -> list[Path]:
    house.walls_say["writable"] = [house.outside]
    return [house.outside / "precious"]


@requirement("RX-16")
@pytest.mark.parametrize(
    "forbid", [forbidden_file, forbidden_folder, forbidden_link, forbidden_twice, forbidden_and_writable]
)
def test_what_is_forbidden_cannot_be_read(jailhouse: Jailhouse, forbid):
    jailhouse.walls_say["unreadable"] = forbid(jailhouse)
    finish = jailhouse.run(
        f"cd {jailhouse.outside}; cat {jailhouse.outside}/precious; cp {jailhouse.outside}/precious {jailhouse.ws};"
        f"chmod 777 {jailhouse.outside} precious; mv precious other; rm -f precious; ln precious {jailhouse.ws}/hard;"
        f"mv {jailhouse.outside} {jailhouse.ws}/all; cat {jailhouse.ws}/* {jailhouse.outside}/*"
    )
    assert b"precious\n" not in finish.stdout
    assert b"Permission denied" in finish.stderr
    assert (jailhouse.outside / "precious").read_text() == "precious\n"


def test_a_forbidden_file_stays_closed_when_it_is_replaced_or_made_while_a_command_runs(jailhouse: Jailhouse):
    missing = jailhouse.outside / "precious-log"
    jailhouse.walls_say["unreadable"] = [jailhouse.outside / "precious", jailhouse.outside / "later"]

    async def scenario(walls: ConfinedSpawner) -> None:
        waiting = "until [ -e go ]; do sleep 0.01; done; cat {0}/precious {0}/later {0}/precious-log {0}/open"
        background = walls.start(jailhouse.job(waiting.format(jailhouse.outside)), str(jailhouse.ws / "output"))
        for name in ("precious", "later", missing.name):
            (jailhouse.outside / "fresh").write_text("precious\n")
            (jailhouse.outside / "fresh").rename(jailhouse.outside / name)
        (jailhouse.ws / "go").touch()
        await background.wait()
        finish = await walls.run(jailhouse.job(f"cat {jailhouse.outside}/*"))
        assert b"precious\n" not in finish.stdout

    (jailhouse.outside / "open").write_text("open\n")
    jailhouse.within(scenario)
    said = (jailhouse.ws / "output").read_text()
    assert "open\n" in said
    assert "precious\n" not in said


def test_a_forbidden_file_in_a_folder_that_was_moved_away_stays_closed(jailhouse: Jailhouse):
    secret = jailhouse.ws / "deep" / "secret"
    secret.parent.mkdir()
    secret.write_text("precious\n")
    jailhouse.walls_say["unreadable"] = [secret]
    # Making one of the holes makes the next command see another view.
    finish = jailhouse.run("mv deep moved; mkdir -p .git/hooks", "cat moved/secret deep/secret")
    assert finish.stdout == b""


def test_a_link_put_in_the_way_of_a_writable_folder_opens_nothing(jailhouse: Jailhouse):
    build = jailhouse.ws / "build"
    jailhouse.walls_say["writable"] = [build]
    # Each of the first two makes a hole, so that the next command sees another view.
    first, second = (
        f"ln -s {jailhouse.outside} build; mkdir -p .git/hooks",
        "echo x > build/precious; touch .git/config",
    )
    finish = jailhouse.run(first, second, "echo x > build/precious")
    assert b"Read-only file system" in finish.stderr
    assert (jailhouse.outside / "precious").read_text() == "precious\n"


def test_a_writable_folder_of_the_kernel_is_not_believed(jailhouse: Jailhouse):
    jailhouse.walls_say["writable"] = ["/proc", "/sys", "/dev"]
    finish = jailhouse.run("ls -d /proc/[0-9]* | wc -l; mount | grep -c 'on /sys.*ro,'; ls /dev/mem /dev/kvm /dev/vda")
    processes, sys_mounts = map(int, finish.stdout.split())
    assert processes < 10
    assert sys_mounts > 0


def test_a_view_holds_as_long_as_nothing_changes(jailhouse: Jailhouse):
    async def scenario(walls: ConfinedSpawner) -> None:
        seen = {(await walls.run(jailhouse.job("echo > file; readlink /proc/self/ns/mnt"))).stdout for _ in range(3)}
        assert len(seen) == 1
        (jailhouse.ws / "daedal.toml").write_text("")
        # The kernel may give a new view the number of the old one, but not the old one's rights.
        assert (await walls.run(jailhouse.job("echo > daedal.toml"))).exit_code != 0

    jailhouse.within(scenario)


def test_a_command_left_in_an_old_jail_goes_on_until_it_ends(jailhouse: Jailhouse):
    async def scenario(walls: ConfinedSpawner) -> None:
        waiting = "until [ -e go ]; do sleep 0.01; done; echo done"
        background = walls.start(jailhouse.job(waiting), str(jailhouse.ws / "output"))
        (jailhouse.ws / "daedal.toml").write_text("")
        await walls.run(jailhouse.job("touch go"))
        assert await background.wait() == 0

    jailhouse.within(scenario)
    assert (jailhouse.ws / "output").read_text() == "done\n\n[exit code 0]\n"
