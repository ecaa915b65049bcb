"""Does background work do what a person expects? It runs on, is listed, ends with its session, and is never lost."""

import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.test_bad_input import configure
from tests.journeys.test_interrupting import interrupted, wait_for
from tests.sandbox.watching import alive, nap
from tests.toolbox.model_replies import Reply
from tests.toolbox.model_script import Recorded
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement

ID = re.compile(r"with ID: (bash_[0-9a-f]{8})")
Step = Reply | Callable[[str], Reply]


def script(*steps: Step) -> Callable[[Recorded], Reply]:
    """Replies in order; one that is a function is told the id of the task that was started last."""

    def reply(recorded: Recorded) -> Reply:
        step = steps[recorded.depth]
        return step if isinstance(step, Reply) else step(ID.findall(recorded.body.decode())[-1])

    return reply


def tags(content: str) -> dict[str, str]:
    return dict(re.findall(r"<(\w+)>\n?(.*?)</\1>", content, re.DOTALL))


def by_hand(daedal: Daedal, tool: str, *flags: str, **given: object) -> Finished:
    return daedal("--eval", json.dumps({"tool": tool, "input": given}), *flags)


def listed(daedal: Daedal) -> list[dict[str, object]]:
    return daedal("tasks", "--json").json


@pytest.fixture
def kept(daedal: Daedal, model) -> tuple[Daedal, str, str]:
    """A command that outlived its run, its id, and how to see whether it is alive."""
    sleep = nap()
    model([call("Bash", command=f"echo first; {sleep}", run_in_background=True), say("Done.")])
    done = daedal("exec", "Go.", "--keep-tasks")
    assert done.code == 0, done.err
    wait_for(lambda: alive(sleep))
    task = ID.findall(daedal.results()[0]["content"])[0]
    assert f"the background command {task} goes on: echo first; {sleep} · daedal tasks" in done.err
    return daedal, task, sleep


@requirement("SD-16/Bash", "SD-16/TaskOutput", "SD-16/TaskStop")
def test_a_turn_goes_on_beside_a_command_hears_from_it_and_ends_it(daedal: Daedal, model):
    sleep = nap()
    server = model(
        script(
            call("Bash", command=f"echo up > up; echo listening; {sleep}", run_in_background=True),
            call("Bash", command="while [ ! -e up ]; do sleep 0.01; done; echo done"),
            lambda task: call("TaskOutput", task_id=task, block=False),
            lambda task: call("TaskOutput", task_id=task, timeout=1),
            lambda task: call("TaskStop", task_id=task),
            lambda task: call("TaskOutput", task_id=task),
            say("Done."),
        )
    )
    assert daedal("exec", "Go.").code == 0
    started, _, first, late, stopped, last = [result["content"] for result in daedal.results()]
    [task] = ID.findall(started)
    assert tags(first) == {
        "retrieval_status": "not_ready",
        "task_id": task,
        "task_type": "local_bash",
        "status": "running",
        "output": "listening\n",
    }
    assert (tags(late)["retrieval_status"], tags(late)["output"]) == ("timeout", "(nothing new)\n")
    assert json.loads(stopped)["task_id"] == task
    assert (tags(last)["retrieval_status"], tags(last)["status"]) == ("success", "killed")
    assert alive(sleep) == []
    assert (daedal.workspace / "up").read_text() == "up\n"
    # From the moment there is something to ask about, the model is told how.
    offered = [{tool["name"] for tool in request.json["tools"]} for request in server.requests]
    assert {"TaskOutput", "TaskStop"} <= offered[-1]


@requirement("SD-16/Bash")
def test_a_command_in_the_background_ends_with_its_run(daedal: Daedal, model):
    sleep = nap()
    model(
        [
            call("Bash", command=f"touch up; setsid {sleep} & {sleep}", run_in_background=True),
            call("Bash", command="while [ ! -e up ]; do sleep 0.01; done"),
            say("Done."),
        ]
    )
    run = daedal("exec", "Go.")
    assert run.code == 0
    assert (daedal.workspace / "up").exists()
    assert alive(sleep) == []
    [task] = ID.findall(daedal.results()[0]["content"])
    said = f"warning: the background command {task} still ran and was ended with its session: touch up; setsid"
    assert run.err.count(said) == 1
    assert "--keep-tasks" in run.err
    assert daedal("tasks").out == "nothing runs in the background\n"
    assert listed(daedal) == []
    assert list((daedal.home / ".daedal" / "tasks").iterdir()) == []


@requirement("SD-16/Bash")
def test_a_run_says_which_commands_it_ended_and_which_go_on_but_not_in_the_stream(daedal: Daedal, model):
    sleep = nap()
    steps = [call("Bash", command=sleep, run_in_background=True), call("Bash", command="true", run_in_background=True)]
    model(script(*steps, lambda task: call("TaskOutput", task_id=task), say("Done.")))
    run = daedal("exec", "Go.", "--output-format", "stream-json")
    first, second = (ID.findall(result["content"])[0] for result in daedal.results()[:2])
    lines = [json.loads(line) for line in run.out.splitlines()]
    assert lines[-1]["type"] == "result"
    assert first in run.err
    assert second not in run.err
    ended = by_hand(daedal, "Bash", command=sleep, run_in_background=True)
    assert f"warning: the background command {ID.findall(ended.json['content'])[0]} still ran" in ended.err


@requirement("SD-16/Agent")
def test_a_run_says_which_agents_it_cut_off(daedal: Daedal, model):
    def reply(recorded: Recorded) -> Reply:
        if "Wait for ever." in json.dumps(recorded.json["messages"][0]):
            return stall()
        task = {"description": "waits", "prompt": "Wait for ever.", "run_in_background": True}
        return [call("Agent", **task), say("Done.")][recorded.depth]

    model(reply)
    run = daedal("exec", "Go.")
    assert run.code == 0
    assert re.search(r"warning: the background agent agent_[0-9a-f]{8} had not finished and was cut off", run.err)


@requirement("SD-16/Bash")
def test_a_kept_command_outlives_its_run_and_is_listed_shown_and_stopped(kept: tuple[Daedal, str, str]):
    daedal, task, sleep = kept
    [row] = listed(daedal)
    assert (row["id"], row["state"], row["detached"], row["session"]) == (task, "running", True, daedal.session)
    shown = daedal("tasks").out
    assert task in shown
    assert "running" in shown
    assert daedal("tasks", "output", task).out == "first\n"
    stopped = daedal("tasks", "stop", task)
    assert (stopped.code, stopped.err) == (0, "")
    assert task in stopped.out
    assert alive(sleep) == []
    [row] = listed(daedal)
    assert (row["state"], row["ending"]) == ("ended", "stopped")
    assert daedal("tasks", "output", task[:8]).out == "first\n\n[stopped]\n"
    assert daedal("tasks", "stop", task).out == f"{task} has ended already\n"


@requirement("SD-16/TaskOutput", "SD-16/TaskStop")
def test_by_hand_a_kept_command_is_asked_and_stopped_in_its_session_only(kept: tuple[Daedal, str, str]):
    daedal, task, sleep = kept
    session = daedal.session
    stranger = by_hand(daedal, "TaskOutput", task_id=task, block=False)
    assert stranger.code == 1
    assert "There are none" in stranger.json["content"]
    assert by_hand(daedal, "TaskStop", task_id=task).code == 1
    assert alive(sleep)
    told = by_hand(daedal, "TaskOutput", "-r", session, task_id=task, block=False)
    assert told.code == 0, told.out + told.err
    assert (tags(told.json["content"])["status"], tags(told.json["content"])["output"]) == ("running", "first\n")
    stopped = by_hand(daedal, "TaskStop", "-r", session, task_id=task)
    assert stopped.code == 0
    assert json.loads(stopped.json["content"])["task_id"] == task
    assert alive(sleep) == []


@requirement("SD-16/Bash", "SD-16/TaskOutput")
def test_another_process_can_list_and_stop_what_a_run_has_in_the_background(daedal: Daedal, model):
    sleep = nap()
    model(
        script(
            call("Bash", command=f"echo first; setsid {sleep} & {sleep}", run_in_background=True),
            lambda task: call("TaskOutput", task_id=task, timeout=60_000),
            say("Done."),
        )
    )
    process = daedal.start("exec", "Go.")
    wait_for(lambda: len(alive(sleep)) == 2)
    [row] = listed(daedal)
    assert (row["state"], row["detached"], row["owner"]) == ("running", False, process.pid)
    assert daedal("tasks", "output", str(row["id"])).out == "first\n"
    assert daedal("tasks", "stop", str(row["id"])).code == 0
    assert alive(sleep) == []
    process.communicate(timeout=60)
    assert process.returncode == 0
    told = tags(daedal.results()[1]["content"])
    assert (told["retrieval_status"], told["status"], told["exit_code"]) == ("success", "failed", "143")


@requirement("SD-16/Bash")
def test_a_kept_command_stays_within_its_walls(daedal: Daedal, model):
    (daedal.root / "outside").mkdir()
    daedal.env["TMPDIR"] = str(daedal.root / "temp")
    (daedal.root / "temp").mkdir()
    command = "echo in > inside; echo out > ../outside/file; echo over > over"
    model([call("Bash", command=command, run_in_background=True), say("Done.")])
    assert daedal("exec", "Go.", "--keep-tasks").code == 0
    wait_for(lambda: listed(daedal)[0]["state"] == "ended")
    assert (daedal.workspace / "over").exists()
    assert list((daedal.root / "outside").iterdir()) == []


@requirement("SD-16/TaskOutput", "SD-16/TaskStop")
def test_an_unknown_id_is_an_error_for_the_model_and_for_a_person(daedal: Daedal):
    for tool in ("TaskOutput", "TaskStop"):
        done = by_hand(daedal, tool, task_id="../../x")
        assert done.code == 1
        assert "No task of this session" in done.json["content"]
    for action in ("output", "stop"):
        done = daedal("tasks", action, "../../x")
        assert (done.code, done.out) == (2, "")
        assert "no task has an id that begins with '../../x' · daedal tasks lists them" in done.err
    assert daedal("tasks", "stop").code == 2
    assert daedal("tasks", "list", "x").code == 2


def test_a_garbled_list_is_no_trouble(daedal: Daedal, model):
    folder = daedal.home / ".daedal" / "tasks"
    folder.mkdir(parents=True)
    (folder / "bash_00000001.task").write_bytes(b"\xff{")
    (folder / "bash_00000002.task").symlink_to("/dev/zero")
    (folder / "1-2.1.process").write_text("[]")
    assert daedal("tasks").out == "nothing runs in the background\n"
    model([say("Done.")])
    done = daedal("exec", "Go.")
    assert (done.code, "still runs" in done.err) == (0, False)


@requirement("SD-16/TaskOutput")
def test_an_interruption_ends_the_waiting_at_once(daedal: Daedal, model):
    sleep = nap()
    server = model(
        script(
            call("Bash", command=sleep, run_in_background=True),
            lambda task: call("TaskOutput", task_id=task, timeout=600_000),
            say("Done."),
        )
    )
    process = daedal.start("exec", "Go.")
    server.wait_for_requests(2)
    wait_for(lambda: alive(sleep))
    wait_for(lambda: len(daedal.entries("tool_use")) == 2)
    code, _, _ = interrupted(process)
    assert code == 130
    assert alive(sleep) == []


@requirement("SD-16/Bash")
@pytest.mark.parametrize("in_background", [False, True])
def test_what_a_killed_run_left_behind_is_named_by_the_next_and_can_be_ended(
    daedal: Daedal,
    model,
    in_background: bool,
):
    sleep = nap()
    wait = call("Bash", command="sleep 1000")
    model([call("Bash", command=sleep, run_in_background=in_background), wait, say("Done.")])
    configure(daedal, "")
    process = daedal.start("exec", "Go.", "--no-sandbox", "--approval", "yolo")
    wait_for(lambda: alive(sleep))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert alive(sleep)
    model([say("Hello.")])
    second = daedal("exec", "Go on.")
    assert second.code == 0
    [task] = re.findall(rf"{sleep}.* still runs, .* · daedal tasks stop (\S+) ends it", second.err)
    assert [(row["id"], row["state"]) for row in listed(daedal) if sleep in str(row["command"])] == [(task, "left")]
    assert daedal("tasks", "stop", task).code == 0
    assert alive(sleep) == []
    for row in listed(daedal):
        assert daedal("tasks", "stop", str(row["id"])).code == 0
    third = daedal("exec", "Once more.")
    assert "still runs" not in third.err
    assert list((daedal.home / ".daedal" / "tasks").iterdir()) == []


@requirement("SD-16/Bash")
def test_a_killed_run_within_walls_leaves_nothing_to_name(daedal: Daedal, model):
    sleep = nap()
    server = model([call("Bash", command=sleep, run_in_background=True), call("Bash", command="sleep 1000")])
    process = daedal.start("exec", "Go.")
    server.wait_for_requests(2)
    wait_for(lambda: alive(sleep))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    model([say("Hello.")])
    second = daedal("exec", "Go on.")
    assert second.code == 0
    assert "still runs" not in second.err
    assert alive(sleep) == []
    assert listed(daedal) == []


@requirement("SD-16/Bash")
@pytest.mark.parametrize("flags", [["--approval", "yolo"], ["--no-sandbox", "--approval", "yolo"]])
def test_the_folder_of_a_killed_run_goes_with_the_next_one_once_nothing_of_it_runs(
    daedal: Daedal, model, tmp_path: Path, flags: list[str]
):
    place = tmp_path / "temporary"
    place.mkdir()
    daedal.env["TMPDIR"] = str(place)
    foreign = [place / "daedal-demo-x", place / "daedal-forged"]
    for folder in foreign:
        folder.mkdir()
    os.mkfifo(foreign[1] / ".owner")
    sleep = nap()
    server = model([call("Bash", command=sleep, run_in_background=True), call("Bash", command="sleep 1000")])
    configure(daedal, "")
    process = daedal.start("exec", "Go.", *flags)
    server.wait_for_requests(2)
    wait_for(lambda: alive(sleep))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    [left] = set(place.glob("daedal-*")) - set(foreign)

    def go_on() -> None:
        model([call("Bash", command="true", run_in_background=True), say("Done.")])
        assert daedal("exec", "Go on.").code == 0

    go_on()
    # Whoever asks for the output of what still runs finds it.
    assert left.exists() is ("--no-sandbox" in flags)
    for row in listed(daedal):
        assert daedal("tasks", "stop", str(row["id"])).code == 0
    go_on()
    assert sorted(place.glob("daedal-*")) == sorted(foreign)
