"""Does one model plan and another carry out, each in a conversation of its own?"""

import json
import os
import signal

import pytest

from tests.journeys.test_bad_input import complained, configure
from tests.journeys.test_interrupting import interrupted
from tests.toolbox.model_server import Recorded, Reply, call, fail, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child

PLAN = "**Aim**: there is a file.\n**Steps**: 1. Write made.txt."
WORKER, THINKER = "worker", "thinker"


def two(daedal: Daedal, model, worker: list[Reply], thinker: list[Reply], extra: str = ""):
    """Two models at one endpoint, each with a script of its own."""
    scripts = {WORKER: list(worker), THINKER: list(thinker)}

    def reply(request: Recorded) -> Reply:
        return scripts[request.json["model"]].pop(0)

    server = model(reply)
    configure(
        daedal,
        f'default_model = "{WORKER}"\n{extra}\n[[providers]]\nname = "local"\nkind = "openai"\n'
        f'base_url = "{server.url}/v1"\nmodels = ["{WORKER}", "{THINKER}"]\napi_key_env = "LOCAL_KEY"\n',
    )
    daedal.env["LOCAL_KEY"] = "a-harmless-key"
    return server


def of(server, name: str) -> list[Recorded]:
    return [request for request in server.requests if request.json["model"] == name]


def prefixes(requests: list[Recorded]) -> list[bytes]:
    """Each request up to the end of its messages."""
    found: list[bytes] = []
    for request in requests:
        last = json.dumps(request.json["messages"][-1], separators=(",", ":"), ensure_ascii=False).encode()
        assert request.body.count(last) >= 1, (last, request.body[-300:])
        found.append(request.body[: request.body.rindex(last) + len(last)])
    return found


def grows(requests: list[Recorded]) -> None:
    """Byte for byte, each request begins with all of the one before."""
    before = b""
    for prefix in prefixes(requests):
        assert prefix.startswith(before)
        before = prefix


@requirement("RX-07")
def test_the_plan_of_one_model_is_carried_out_by_the_other(daedal: Daedal, model):
    (daedal.workspace / "AGENTS.md").write_text("Always say please.")
    server = two(
        daedal,
        model,
        [call("Write", file_path="made.txt", content="x"), say("Made, please.")],
        [call("Glob", pattern="*.nowhere"), say(PLAN)],
    )
    run = daedal("exec", "Make a file.", "--planner-model", THINKER, "--approval", "yolo")
    assert (run.code, run.out) == (0, "Made, please.\n")
    assert (daedal.workspace / "made.txt").exists()
    planning, working = of(server, THINKER), of(server, WORKER)
    assert (len(planning), len(working)) == (2, 2)
    # Both are told what holds in the project, and what was asked for.
    for request in (planning[0], working[0]):
        assert "Always say please." in json.dumps(request.json["messages"][0])
        assert "Make a file." in json.dumps(request.json["messages"][1])
    handed = json.dumps(working[0].json["messages"][-1])
    assert "<plan by=" in handed
    assert "Write made.txt." in handed
    # What one said and looked at is nothing the other hears of, except the plan.
    assert "nowhere" not in json.dumps(working[0].json["messages"])
    assert "Made, please." not in json.dumps(planning[-1].json["messages"])


@requirement("RX-07")
def test_the_planner_has_only_tools_that_read(daedal: Daedal, model):
    server = two(
        daedal,
        model,
        [say("Fine.")],
        [call("Write", file_path="x", content="x"), call("Bash", command="touch y"), say(PLAN)],
    )
    assert daedal("exec", "Do it.", "--planner-model", THINKER, "--approval", "yolo").code == 0
    names = {tool["function"]["name"] for tool in of(server, THINKER)[0].json["tools"]}
    assert {"Read", "Glob", "Grep"} <= names
    assert not names & {
        "Write",
        "Edit",
        "NotebookEdit",
        "Move",
        "Bash",
        "Agent",
        "ExitPlanMode",
        "EnterPlanMode",
        "TodoWrite",
    }
    assert sorted(file.name for file in daedal.workspace.iterdir()) == []
    working = {tool["function"]["name"] for tool in of(server, WORKER)[0].json["tools"]}
    assert {"Write", "Bash"} <= working


@requirement("RX-07")
def test_both_conversations_only_ever_grow_over_turns_and_over_a_restart(daedal: Daedal, model):
    (daedal.workspace / "a.txt").write_text("one")
    worker: list[Reply] = []
    thinker: list[Reply] = []
    for number in range(5):
        worker += [call("Bash", command=f"echo {number}"), call("Read", file_path="a.txt"), say(f"Done with {number}.")]
        thinker += [call("Read", file_path="a.txt"), call("Glob", pattern="*.txt"), say(f"Plan {number}: echo.")]
    server = two(daedal, model, worker, thinker)
    words = ["--planner-model", THINKER, "--approval", "yolo"]
    assert daedal("exec", "Task 0.", *words).code == 0
    for number in range(1, 5):
        # Which model plans is on the record.
        assert daedal("exec", "--continue", f"Task {number}.", "--approval", "yolo").code == 0
    planning, working = of(server, THINKER), of(server, WORKER)
    assert (len(planning), len(working)) == (15, 15)
    grows(planning)
    grows(working)
    assert len(prefixes(planning)[0]) > 1000
    assert len({json.dumps(request.json["tools"]) for request in planning}) == 1
    assert len({json.dumps(request.json["tools"]) for request in working}) == 1
    # The planner hears what came of its plan, and nothing else of the other conversation.
    assert "Done with 3." in json.dumps(planning[-1].json["messages"])
    assert daedal.rows("SELECT count(*) FROM sessions") == [(2,)]
    assert daedal.rows(
        "SELECT model_id, worked_for IS NULL, count(*) FROM sessions s JOIN turns USING (session_id) GROUP BY 1, 2"
    ) == [
        (THINKER, 0, 5),
        (WORKER, 1, 5),
    ]


@requirement("RX-07")
def test_each_has_a_limit_of_steps_of_its_own(daedal: Daedal, model):
    extra = f'[agent]\nplanner_model = "{THINKER}"\nplanner_max_steps = 2\n'
    server = two(daedal, model, [say("Done without.")], [call("Glob", pattern="*")] * 3, extra)
    run = daedal("exec", "Do it.", "--max-turns", "1")
    assert (run.code, run.out) == (0, "Done without.\n")
    assert len(of(server, THINKER)) == 2
    assert "there is no plan: stopped after 2 model calls" in run.err


@requirement("RX-07")
def test_what_needs_no_plan_gets_none(daedal: Daedal, model):
    server = two(daedal, model, [say("Four.")], [say("[no plan]")])
    assert daedal("exec", "Two and two?", "--planner-model", THINKER).out == "Four.\n"
    assert len(of(server, WORKER)[0].json["messages"]) == 2


@requirement("RX-07")
def test_a_planner_that_cannot_be_reached_is_named_and_the_work_goes_on(daedal: Daedal, model):
    two(daedal, model, [say("Done.")], [fail(400)])
    run = daedal("exec", "Do it.", "--planner-model", THINKER)
    assert (run.code, run.out) == (0, "Done.\n")
    assert "there is no plan" in run.err


@requirement("RX-07")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_stopped_while_it_plans_the_turn_goes_on_with_a_plan(daedal: Daedal, model, stop: signal.Signals):
    server = two(daedal, model, [say("Done.")], [stall(after=3), say(PLAN)])
    process = daedal.start("exec", "Do it.", "--planner-model", THINKER)
    server.wait_for_stall()
    if stop is signal.SIGINT:
        assert interrupted(process)[0] == 130
    else:
        os.kill(process.pid, stop)
        process.communicate()
    assert daedal("exec", "--continue").code == 0
    assert "Write made.txt." in json.dumps(of(server, WORKER)[0].json["messages"])
    grows(of(server, THINKER)[:1])
    assert daedal.rows("SELECT count(*) FROM turns t JOIN sessions USING (session_id) WHERE worked_for IS NULL") == [
        (1,)
    ]


@requirement("RX-07")
def test_killed_after_the_plan_it_is_not_planned_again(daedal: Daedal, model):
    server = two(daedal, model, [stall(after=3), say("Done.")], [say(PLAN)])
    process = daedal.start("exec", "Do it.", "--planner-model", THINKER)
    server.wait_for_stall()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert daedal("exec", "--continue").out == "Done.\n"
    assert len(of(server, THINKER)) == 1
    working = of(server, WORKER)
    assert json.dumps(working[-1].json["messages"]).count("<plan by=") == 1


@requirement("RX-07")
def test_one_budget_pays_for_both(daedal: Daedal, model):
    server = model([say("Plan: do it."), say("Done.")])
    run = daedal("exec", "Do it.", "--model", "sonnet", "--planner-model", "opus", "--output-format", "json")
    assert run.code == 0
    [(together,)] = daedal.rows("SELECT sum(cost_usd) FROM model_calls")
    assert run.json["total_cost_usd"] == pytest.approx(together)
    assert len(server.requests) == 2
    server.add(say("Plan: again."))
    again = daedal("exec", "Do it.", "--model", "sonnet", "--planner-model", "opus", "--max-budget-usd", "0.0000001")
    assert again.code == 53


@requirement("RX-07")
def test_the_same_model_plans_nothing_and_an_unknown_one_is_refused_before_anything_is_asked(daedal: Daedal, model):
    server = two(daedal, model, [say("Done.")], [])
    assert daedal("exec", "Do it.", "--planner-model", WORKER).code == 0
    assert len(server.requests) == 1
    complained(daedal("exec", "Do it.", "--planner-model", "nobody"), 2, "nobody")
    assert len(server.requests) == 1


@requirement("RX-07")
def test_clients_choose_the_planner_of_a_thread_and_see_it_work(daedal: Daedal, model):
    two(daedal, model, [say("Done.")], [say(PLAN)])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(plannerModel=THINKER)
        assert client.turn(thread, "Do it.")["threadId"] != thread
        assert client.event("turn/completed")["threadId"] == thread
        started = [one["params"]["thread"] for one in client.seen if one.get("method") == "thread/started"]
        assert [one["parentThreadId"] for one in started] == [None, thread]
        items = client.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]["turns"][0]["items"]
        assert [item["type"] for item in items] == ["userMessage", "userMessage", "agentMessage"]
        refused = client.fails("turn/start", {"threadId": started[1]["id"], "input": [{"type": "text", "text": "Hi."}]})
        assert "sub-agent" in refused["message"]
        assert client.leave() == 0


@requirement("RX-07", "RX-12")
def test_a_goal_is_planned_once_and_not_with_every_turn(daedal: Daedal, model):
    server = two(daedal, model, [say("[goal:continue]"), say("[goal:complete]")], [say(PLAN)])
    assert daedal("exec", "--goal", "Do it.", "--planner-model", THINKER).code == 0
    assert (len(of(server, THINKER)), len(of(server, WORKER))) == (1, 2)
