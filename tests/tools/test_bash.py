"""What comes back of a command, and where is the thread afterwards?"""

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from daedal.protocol.errors import ConfigurationError
from daedal.protocol.seams import Outcome
from daedal.tools import ShellSettings, ToolSettings
from tests.sandbox.watching import alive, nap, until
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("SD-16/Bash")
MIB = 1_048_576


def test_output_is_the_answer(desk: Desk):
    assert desk.do("Bash", command="echo hello") == Outcome(content="hello\n", exit_code=0)


def test_silence_is_told(desk: Desk):
    assert desk.do("Bash", command="true").content == "(Bash completed with no output)"


def test_the_streams_are_joined_as_specified(desk: Desk):
    assert desk.do("Bash", command="echo out; echo err >&2").content == "out\n\n--- stderr ---\nerr\n"
    assert desk.do("Bash", command="echo err >&2").content == "\n--- stderr ---\nerr\n"


def test_each_stream_is_capped_with_a_mark(desk: Desk):
    outcome = desk.do("Bash", command="yes | head -c 3000000; yes n | head -c 2000000 >&2")
    out, _, err = outcome.content.partition("\n--- stderr ---\n")
    assert len(out) == MIB + len("\n[SDLC_TRUNCATED]")
    assert out.endswith("\n[SDLC_TRUNCATED]")
    assert len(err) == MIB + len("\n[SDLC_TRUNCATED]")
    assert err.endswith("\n[SDLC_TRUNCATED]")
    assert not outcome.is_error


def test_a_failure_tells_its_code(desk: Desk):
    assert desk.do("Bash", command="echo no; exit 3") == Outcome(
        content="Exit code 3\nno\n", is_error=True, exit_code=3
    )
    assert desk.do("Bash", command="exit 3").content == "Exit code 3\n(no output)"


def test_a_death_by_signal_is_an_error_that_names_it(desk: Desk):
    outcome = desk.do("Bash", command="kill -SEGV $$")
    assert outcome.is_error
    assert outcome.content.startswith("Exit code 139 (signal SIGSEGV)")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("grep zzz a.txt", "(exit code 1: no match)"),
        ("cat a.txt | grep zzz", "(exit code 1: no match)"),
        ("grep 'a;b' a.txt", "(exit code 1: no match)"),
        ("test -e nope", "(exit code 1: the condition is false)"),
        ("[ a = b ]", "(exit code 1: the condition is false)"),
        ("diff a.txt b.txt", "1c1\n< a\n---\n> b\n(exit code 1: the files differ)"),
    ],
)
def test_where_1_is_an_answer_it_is_no_error(desk: Desk, command: str, said: str):
    desk.put("a.txt", "a\n")
    desk.put("b.txt", "b\n")
    assert desk.do("Bash", command=command) == Outcome(content=said, exit_code=1)


@pytest.mark.parametrize(
    "command",
    [
        "grep zzz a.txt; exit 1",
        "false",
        "grep zzz a.txt && echo x",
        "grep zzz nope",
        "(exit 1) | false",
        "false || grep zzz a.txt",
        "echo $(grep zzz a.txt; kill -9 $$); exit 1",
    ],
)
def test_elsewhere_it_is(desk: Desk, command: str):
    desk.put("a.txt", "a\n")
    assert desk.do("Bash", command=command).is_error


def test_a_command_out_of_time_tells_how_long_it_had_and_what_it_said(desk: Desk):
    sleep = nap()
    outcome = desk.do("Bash", command=f"echo early; {sleep}", timeout=300)
    assert outcome.is_error
    assert outcome.content == (
        "[SDLC_INTERNAL] Command timed out after 0.3 s and was ended with everything it had started.\nearly\n"
    )
    assert alive(sleep) == []


def described(desk: Desk) -> str:
    return next(spec.description for spec in desk.tools.specs() if spec.name == "Bash")


def test_the_default_time_is_a_setting_and_0_sets_none(tmp_path: Path):
    desk = Desk(tmp_path, ToolSettings(bash_timeout_seconds=1))
    assert "timed out after 1 s" in desk.do("Bash", command=nap()).content
    assert "default 1000, max 600000" in described(desk)
    endless = Desk(tmp_path, ToolSettings(bash_timeout_seconds=0))
    assert endless.do("Bash", command="echo x").content == "x\n"
    assert "timed out after 0.2 s" in endless.do("Bash", command=nap(), timeout=200).content
    assert "`timeout` in ms (default none)" in described(endless)


def test_a_longer_time_than_allowed_is_clamped(desk: Desk):
    assert desk.do("Bash", command="echo x", timeout=99_999_999).content == "x\n"


def test_a_cancelled_call_leaves_no_process(desk: Desk):
    sleep = nap()

    async def scenario() -> None:
        script = f"setsid {sleep} & (trap '' TERM; {sleep}) & {sleep}"
        task = asyncio.create_task(desk.call("Bash", command=script))
        await until(lambda: len(alive(sleep)) == 3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert alive(sleep) == []

    desk.run(scenario())


def test_cd_lasts_and_survives_exit_and_errors(desk: Desk):
    (desk.root / "a" / "b c").mkdir(parents=True)

    async def scenario() -> None:
        assert (await desk.call("Bash", command="cd a")).cwd == str(desk.root / "a")
        assert (await desk.call("Bash", command="pwd")).content == f"{desk.root}/a\n"
        assert (await desk.call("Bash", command="cd 'b c'; exit 3")).cwd == str(desk.root / "a" / "b c")
        assert (await desk.call("Bash", command="set -e; cd ..; false; cd ..")).cwd == str(desk.root / "a")
        assert (await desk.call("Bash", command="cd ..\nif fi")).cwd == str(desk.root)
        assert (await desk.call("Bash", command="(cd a); true")).cwd is None
        assert (await desk.call("Bash", command="exec true")).cwd is None
        assert (await desk.call("Bash", command="cd a & wait")).cwd is None

    desk.run(scenario())


def test_a_syntax_error_reads_as_if_the_command_stood_alone(desk: Desk):
    outcome = desk.do("Bash", command="if fi")
    assert (outcome.is_error, outcome.cwd, outcome.exit_code) == (True, None, 2)
    assert "line 1: `if fi'" in outcome.content
    assert "trap" not in outcome.content


def test_line_numbers_are_those_of_the_command(desk: Desk):
    assert "bash: line 2: nonsense: command not found" in desk.do("Bash", command="true\nnonsense").content


def test_leaving_the_workspace_is_undone_and_said(desk: Desk):
    outcome = desk.do("Bash", command="cd /; pwd")
    assert outcome.content == f"/\nShell cwd was reset to {desk.root}"
    assert outcome.cwd == str(desk.root)


def test_a_neighbour_with_a_longer_name_is_outside(desk: Desk, tmp_path: Path):
    (tmp_path / "ws2").mkdir()
    assert desk.do("Bash", command="cd ../ws2").cwd == str(desk.root)


def test_a_workspace_behind_a_link_is_itself(desk: Desk, tmp_path: Path):
    (tmp_path / "alias").symlink_to(desk.root)
    (desk.root / "sub").mkdir()
    desk.workspace = desk.cwd = str(tmp_path / "alias")
    outcome = desk.do("Bash", command="cd sub")
    assert outcome.cwd == str(desk.root / "sub")
    assert "reset" not in outcome.content


def test_a_directory_that_vanished_is_told_and_left(desk: Desk):
    (desk.root / "gone").mkdir()
    desk.cwd = str(desk.root / "gone")
    removed = desk.do("Bash", command="rmdir ../gone")
    assert not removed.is_error
    assert removed.content.endswith(f"Shell cwd was reset to {desk.root}")
    desk.cwd = str(desk.root / "gone")
    outcome = desk.do("Bash", command="touch ran")
    assert outcome.is_error
    assert "does not exist any more, so the command was not run" in outcome.content
    assert outcome.cwd == str(desk.root)
    shutil.rmtree(desk.root)
    last = desk.do("Bash", command="true")
    assert (last.is_error, last.cwd) == (True, None)


def test_output_that_is_no_utf_8_is_shown_with_replacements(desk: Desk):
    assert desk.do("Bash", command=r"printf 'caf\xe9\n'").content == "caf�\n"


def test_a_nul_byte_and_an_endless_command_line_are_refused(desk: Desk):
    assert "NUL byte" in desk.do("Bash", command="echo a\0b").content
    outcome = desk.do("Bash", command="echo " + "x" * 140_000)
    assert outcome.is_error
    assert "Write it to a file" in outcome.content
    assert len(desk.do("Bash", command="echo " + "x" * 129_000).content) == 129_001


def test_a_command_cannot_wait_for_input(desk: Desk):
    assert desk.do("Bash", command="read line; echo \"got '$line'\"").content == "got ''\n"


def test_a_command_in_the_background_writes_to_a_file_and_ends_with_the_toolbox(desk: Desk):
    sleep = nap()

    async def scenario() -> None:
        outcome = await desk.call("Bash", command=f"echo started; {sleep}", run_in_background=True)
        found = re.fullmatch(
            r"Command running in background with ID: bash_\w+ \(process \d+\)\."
            r" Output is being written to: (\S+)\. Its last line will tell how the command ended\.",
            outcome.content,
        )
        assert found is not None
        output = Path(found[1])
        assert output.parent == desk.scratch
        await until(lambda: output.read_text() == "started\n" and alive(sleep))
        await desk.tools.close()
        assert alive(sleep) == []
        assert output.read_text() == "started\n\n[ended with the session]\n"

    desk.run(scenario())


def test_a_command_in_the_background_may_have_a_deadline(desk: Desk):
    async def scenario() -> None:
        await desk.call("Bash", command=nap(), run_in_background=True, timeout=50)
        [output] = desk.scratch.iterdir()
        await until(lambda: output.read_text() == "\n[timed out after 0.05 s]\n")

    desk.run(scenario())


def test_every_key_of_the_reference_is_taken(desk: Desk):
    outcome = desk.do("Bash", command="echo x", description="Says x", dangerouslyDisableSandbox=True, timeout="5000")
    assert outcome.content == "x\n"


def test_another_shell_can_be_chosen(tmp_path: Path):
    program = tmp_path / "pwsh"
    program.write_text("#!/bin/sh\nprintf '%s|' \"$@\"\n")
    program.chmod(0o755)
    desk = Desk(tmp_path, ToolSettings(shell=ShellSettings(prefer="pwsh", path=str(program))))
    assert described(desk).startswith("Runs a command with pwsh.")
    assert desk.do("Bash", command="Get-Item .").content == "-NoProfile|-NonInteractive|-Command|Get-Item .|"


def test_a_shell_that_is_not_there_is_told_before_anything_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ConfigurationError, match=r"tools\.shell\.path is /nowhere/sh"):
        Desk(tmp_path, ToolSettings(shell=ShellSettings(path="/nowhere/sh")))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match="bash, pwsh, powershell not found"):
        Desk(tmp_path)


def test_a_command_names_no_paths(desk: Desk):
    assert desk.paths("Bash", command="cat /etc/passwd") == []
