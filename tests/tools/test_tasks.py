"""Does the model hear from what runs in the background, and can it end it? Nothing else can be reached by an id."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Outcome
from daedal.sandbox import Roll, is_running, left_behind
from daedal.tools import still_running
from daedal.tools.tasks import RUNNING_MAX
from tests.sandbox.watching import alive, nap, until
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

WAITING = "while [ ! -e go ]; do sleep 0.01; done"


def open_desk(folder: Path, *, keep_tasks: bool = False) -> Desk:
    """Without walls, which most of this is not about."""
    walls = Confinement(workspace=str(folder / "ws"), writable=[str(folder / "ws")], enabled=False)
    return Desk(folder, confinement=walls, keep_tasks=keep_tasks)


async def started(desk: Desk, command: str, **details: object) -> str:
    outcome = await desk.call("Bash", command=command, run_in_background=True, **details)
    assert not outcome.is_error, outcome.content
    return re.findall(r"with ID: (\w+)", outcome.content)[0]


def tags(outcome: Outcome) -> dict[str, str]:
    return dict(re.findall(r"<(\w+)>\n?(.*?)</\1>", outcome.content, re.DOTALL))


@requirement("SD-16/TaskOutput", "SD-16/Bash")
def test_a_command_that_has_ended_is_told_with_its_output(desk: Desk):
    async def scenario() -> None:
        task = await started(desk, "echo out; echo err >&2; exit 3")
        told = tags(await desk.call("TaskOutput", task_id=task))
        assert told == {
            "retrieval_status": "success",
            "task_id": task,
            "task_type": "local_bash",
            "status": "failed",
            "exit_code": "3",
            "output": "out\nerr\n\n[exit code 3]\n",
        }
        again = tags(await desk.call("TaskOutput", task_id=task))
        assert (again["status"], again["output"]) == ("failed", "(nothing new)\n")

    desk.run(scenario())


@requirement("SD-16/TaskOutput")
def test_a_command_that_runs_tells_what_is_new_each_time(desk: Desk):
    async def scenario() -> None:
        task = await started(desk, f"echo one; {WAITING}; echo two")
        output = next(desk.scratch.iterdir())
        await until(lambda: output.read_text() == "one\n")
        now = tags(await desk.call("TaskOutput", task_id=task, block=False))
        assert (now["retrieval_status"], now["status"], now["output"]) == ("not_ready", "running", "one\n")
        assert "exit_code" not in now
        late = tags(await desk.call("TaskOutput", task_id=task, timeout=1))
        assert (late["retrieval_status"], late["output"]) == ("timeout", "(nothing new)\n")
        (desk.root / "go").touch()
        done = tags(await desk.call("TaskOutput", task_id=task, block=True, timeout=20_000))
        assert (done["retrieval_status"], done["status"]) == ("success", "completed")
        assert done["output"] == "two\n\n[exit code 0]\n"

    desk.run(scenario())


@requirement("SD-16/TaskOutput")
def test_of_an_hour_of_output_the_newest_is_told(desk: Desk):
    async def scenario() -> None:
        task = await started(desk, "seq -f '%015.0f' 1 500000; echo end")
        outcome = await desk.call("TaskOutput", task_id=task)
        assert len(outcome.content) < 1_048_576 + 1000
        output = tags(outcome)["output"]
        first, _, rest = output.partition("\n")
        assert re.fullmatch(r"\[SDLC_TRUNCATED\] \d+ bytes before this are left out; .* is in \S+", first)
        assert re.match(r"\d{15}\n", rest)
        assert rest.endswith("000000000500000\nend\n\n[exit code 0]\n")
        [file] = desk.scratch.iterdir()
        assert file.stat().st_size <= 4_194_304
        assert not (await desk.call("Read", file_path=str(file), limit=2)).is_error

    desk.run(scenario())


@requirement("SD-16/TaskOutput")
def test_waiting_for_it_ends_at_once_when_the_turn_is_interrupted(desk: Desk):
    sleep = nap()

    async def scenario() -> None:
        task = await started(desk, sleep)
        await until(lambda: alive(sleep))
        waiting = asyncio.create_task(desk.call("TaskOutput", task_id=task, timeout=600_000))
        await asyncio.sleep(0)
        waiting.cancel()
        async with asyncio.timeout(1):
            await asyncio.wait([waiting])
        assert waiting.cancelled()
        assert alive(sleep)

    desk.run(scenario())
    assert alive(sleep) == []


@requirement("SD-16/TaskStop", "SD-16/Bash")
def test_a_stopped_command_is_gone_with_everything_it_started(desk: Desk):
    sleep = nap()

    async def scenario() -> None:
        task = await started(desk, f"setsid {sleep} & {sleep}")
        await until(lambda: len(alive(sleep)) == 2)
        outcome = await desk.call("TaskStop", task_id=task)
        assert json.loads(outcome.content) == {
            "message": f"Successfully stopped task: {task} (setsid {sleep} & {sleep})",
            "task_id": task,
            "task_type": "local_bash",
            "command": f"setsid {sleep} & {sleep}",
        }
        assert alive(sleep) == []
        told = tags(await desk.call("TaskOutput", task_id=task))
        assert (told["status"], told["output"]) == ("killed", "\n[stopped]\n")

    desk.run(scenario())


@requirement("SD-16/TaskStop")
def test_children_of_a_command_that_has_ended_can_be_stopped_too(desk: Desk):
    sleep = nap()

    async def scenario() -> None:
        task = await started(desk, f"{sleep} &")
        await desk.call("TaskOutput", task_id=task)
        await until(lambda: alive(sleep))
        outcome = await desk.call("TaskStop", shell_id=task)
        assert "had ended before" in json.loads(outcome.content)["message"]
        assert alive(sleep) == []

    desk.run(scenario())


@requirement("SD-16/TaskOutput", "SD-16/TaskStop")
@pytest.mark.parametrize("tool", ["TaskOutput", "TaskStop"])
@pytest.mark.parametrize("name", ["../../x", "", "bash_", "bash_00000000", "*", "/etc/hostname", "x" * 5000, "\ud800"])
def test_an_id_that_no_task_has_is_an_error_that_names_those_there_are(desk: Desk, tool: str, name: str):
    async def scenario() -> None:
        none = await desk.call(tool, task_id=name)
        assert none.is_error
        task = await started(desk, "true")
        unknown = await desk.call(tool, task_id=name)
        assert unknown.is_error
        assert len(unknown.content) < 1000
        assert task in unknown.content or (tool, name) == ("TaskStop", "")

    desk.run(scenario())


@requirement("SD-16/TaskOutput", "SD-16/TaskStop")
def test_wrong_input_is_told(desk: Desk):
    for arguments in ({"timeout": 600_001}, {"timeout": -1}, {"block": "perhaps"}, {"id": "x"}):
        outcome = desk.do("TaskOutput", **{"task_id": "x", **arguments})
        assert outcome.content.startswith("InputValidationError: TaskOutput")
    assert "missing key `task_id`" in desk.do("TaskOutput").content
    assert "missing key `task_id`" in desk.do("TaskStop").content


def test_only_so_many_run_at_once(tmp_path: Path):
    desk = open_desk(tmp_path)

    async def scenario() -> None:
        tasks = [await started(desk, WAITING) for _ in range(RUNNING_MAX)]
        refused = await desk.call("Bash", command="true", run_in_background=True)
        assert refused.is_error
        assert tasks[-1] in refused.content
        (desk.root / "go").touch()
        for task in tasks:
            await desk.call("TaskOutput", task_id=task)
        await started(desk, "true")

    desk.run(scenario())


def test_ended_ones_are_forgotten_in_the_end_and_hold_nothing_open(tmp_path: Path):
    desk = open_desk(tmp_path)

    async def scenario() -> None:
        tasks = []
        for _ in range(70):
            tasks.append(await started(desk, "true"))
            await desk.call("TaskOutput", task_id=tasks[-1])
        assert (await desk.call("TaskOutput", task_id=tasks[0])).is_error
        assert not (await desk.call("TaskOutput", task_id=tasks[-1])).is_error

    desk.run(scenario())


@requirement("SD-16/Bash")
def test_it_is_on_the_roll_before_it_starts_and_off_it_with_its_thread(desk: Desk):
    roll = Roll(str(desk.root.parent / "tasks"))

    async def scenario() -> None:
        task = await started(desk, 'cat "$0"', description="x")
        outcome = await desk.call("TaskOutput", task_id=task)
        assert "completed" in outcome.content or "failed" in outcome.content
        [entry] = roll.entries()
        assert (entry.id, entry.session, entry.detached) == (task, "thread", False)
        assert entry.exit_code is not None

    desk.run(scenario())
    assert roll.entries() == []


def test_what_cannot_be_noted_or_started_is_told_and_not_on_the_roll(desk: Desk):
    (desk.root.parent / "tasks").write_text("a file where the folder should be")
    outcome = desk.do("Bash", command="touch ran", run_in_background=True)
    assert outcome.content.startswith("[SDLC_INTERNAL] cannot note the command")
    assert not (desk.root / "ran").exists()


def test_a_scratch_folder_that_became_a_link_takes_no_output(desk: Desk):
    (desk.root.parent / "elsewhere").mkdir()
    desk.scratch.symlink_to(desk.root.parent / "elsewhere")
    outcome = desk.do("Bash", command="echo x; touch ran", run_in_background=True)
    assert outcome.is_error
    assert list((desk.root.parent / "elsewhere").iterdir()) == []
    assert not (desk.root / "ran").exists()


@requirement("SD-16/Bash", "SD-16/TaskOutput", "SD-16/TaskStop")
def test_a_kept_command_goes_on_and_a_later_run_of_its_session_finds_it(tmp_path: Path):
    sleep = nap()
    first = Desk(tmp_path, keep_tasks=True)

    async def begin() -> str:
        task = await started(first, f"echo first; echo in > inside; echo out > {tmp_path}/outside; {sleep}")
        await until(lambda: alive(sleep))
        return task

    task = first.run(begin())
    assert alive(sleep)
    assert not (tmp_path / "outside").exists()
    assert (first.root / "inside").exists()

    other = Desk(tmp_path)
    other.thread_id = "another"
    assert other.do("TaskOutput", task_id=task, block=False).is_error
    assert other.do("TaskStop", task_id=task).is_error
    assert alive(sleep)

    later = Desk(tmp_path)

    def folder() -> str:
        return str(tmp_path / "tasks")

    assert f"\n- {task}: echo first; " in still_running("thread", folder)
    assert still_running("another", folder) == ""

    async def scenario() -> None:
        told = tags(await later.call("TaskOutput", task_id=task, block=False))
        assert (told["retrieval_status"], told["status"]) == ("not_ready", "running")
        assert told["output"].startswith("first\n")
        stopped = await later.call("TaskStop", task_id=task)
        assert json.loads(stopped.content)["task_id"] == task
        assert alive(sleep) == []
        ended = tags(await later.call("TaskOutput", task_id=task))
        assert (ended["status"], ended["output"]) == ("killed", "\n[stopped]\n")

    later.run(scenario())
    assert still_running("thread", folder) == ""


def test_a_kept_command_can_be_waited_for(tmp_path: Path):
    desk = open_desk(tmp_path, keep_tasks=True)

    async def scenario() -> None:
        task = await started(desk, f"{WAITING}; exit 7")
        waiting = asyncio.create_task(desk.call("TaskOutput", task_id=task, timeout=20_000))
        await asyncio.sleep(0)
        (desk.root / "go").touch()
        told = tags(await waiting)
        assert (told["retrieval_status"], told["status"], told["exit_code"]) == ("success", "failed", "7")

    desk.run(scenario())


def test_a_kept_command_whose_output_was_replaced_is_told_without_it(tmp_path: Path):
    desk = open_desk(tmp_path, keep_tasks=True)
    (tmp_path / "precious").write_text("precious\n")

    async def scenario() -> None:
        outcome = await desk.call("Bash", command=f"{WAITING}", run_in_background=True)
        [task], [output] = (re.findall(pattern, outcome.content) for pattern in (r"ID: (\w+)", r"to: (\S+)\. Its"))
        Path(output).unlink()
        Path(output).symlink_to(tmp_path / "precious")
        told = tags(await desk.call("TaskOutput", task_id=task, block=False))
        assert told["output"].startswith("(its output cannot be read any more")
        (desk.root / "go").touch()
        await desk.call("TaskOutput", task_id=task)
        assert (tmp_path / "precious").read_text() == "precious\n"

    desk.run(scenario())


@requirement("SD-16/TaskOutput", "SD-16/TaskStop")
def test_what_a_crash_left_running_is_found_by_its_session(tmp_path: Path):
    """The crash is played: the roll says that the command's owner is gone."""
    sleep = nap()
    desk = open_desk(tmp_path)
    roll = Roll(str(tmp_path / "tasks"))

    async def scenario() -> None:
        task = await started(desk, sleep)
        await until(lambda: alive(sleep))
        [entry] = roll.entries()
        roll.put(replace(entry, owner=replace(entry.owner, pid=2**22 - 1)))
        assert [left.id for left in left_behind(str(tmp_path / "tasks"))] == [task]
        assert is_running(roll.entries()[0])
        later = open_desk(tmp_path)
        assert tags(await later.call("TaskOutput", task_id=task, block=False))["status"] == "running"
        await later.call("TaskStop", task_id=task)
        assert alive(sleep) == []

    desk.run(scenario())
