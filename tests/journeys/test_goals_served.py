"""Can other programs set a thread a goal? `thread/goal/*`, in the words of the Codex app-server."""

import json
from typing import Any

from tests.server.test_emission import Noting, troubles
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import WireClient

MORE = say("Some of it.\n\n[goal:continue]")
CLAIM = say("All of it.\n\n[goal:complete]")


def until(client: WireClient, status: str) -> dict[str, Any]:
    """The goal, as soon as it has this status."""

    def is_it(message: dict[str, Any]) -> bool:
        return message.get("method") == "thread/goal/updated" and message["params"]["goal"]["status"] == status

    return client.wait(is_it)["params"]["goal"]


@requirement("RX-12", "FA-01")
def test_a_goal_that_is_set_starts_turns_by_itself(daedal: Daedal, model):
    server = model([MORE, call("Write", file_path="made", content="x"), CLAIM])
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        goal = {"threadId": thread, "objective": "Make it.", "origin": "user", "check": "test -f made"}
        begun = client.call("thread/goal/set", goal)["goal"]
        assert (begun["status"], begun["objective"], begun["tokenBudget"]) == ("active", "Make it.", None)
        done = until(client, "complete")
        assert (done["continuations"], done["steps"], done["lastCheck"]["passed"]) == (1, 3, True)
        assert client.call("thread/goal/get", {"threadId": thread})["goal"] == done
        assert client.call("thread/goal/clear", {"threadId": thread}) == {"cleared": True}
        assert client.methods()[-1] == "thread/goal/cleared"
        assert client.call("thread/goal/clear", {"threadId": thread}) == {"cleared": False}
        assert client.call("thread/goal/get", {"threadId": thread})["goal"] is None
        assert troubles(client, client.asked_methods) == []
        assert client.leave() == 0
    assert "Make it." in json.dumps(server.requests[0].json["messages"])


@requirement("RX-12")
def test_an_interrupt_by_the_person_pauses_it_and_the_person_may_go_on(daedal: Daedal, model):
    server = model([stall(after=3), CLAIM])
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread()
        client.call("thread/goal/set", {"threadId": thread, "objective": "Do it."})
        turn = client.event("turn/started")["turn"]["id"]
        server.wait_for_stall()
        client.call("turn/interrupt", {"threadId": thread, "turnId": turn})
        paused = until(client, "paused")
        assert paused["stoppedBy"] == "person"
        client.call("thread/goal/set", {"threadId": thread, "status": "active"})
        assert until(client, "complete")["continuations"] == 0
        assert client.leave() == 0


@requirement("RX-12")
def test_a_turn_of_the_person_is_told_of_the_goal_and_the_goal_goes_on_after_it(daedal: Daedal, model):
    server = model([say("Noted."), CLAIM])
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread()
        client.call("thread/goal/set", {"threadId": thread, "objective": "Do it.", "defer": True})
        client.turn(thread, "Mind the gap.")
        assert until(client, "complete")["continuations"] == 1
        assert client.leave() == 0
    first = json.dumps(server.requests[0].json["messages"])
    assert "active-goal" in first
    assert "Mind the gap." in first


@requirement("RX-12")
def test_a_token_budget_ends_it(daedal: Daedal, model):
    server = model([MORE], after="repeat")
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread()
        client.call("thread/goal/set", {"threadId": thread, "objective": "Never done.", "tokenBudget": 30})
        goal = until(client, "budgetLimited")
        assert goal["tokensUsed"] >= 30
        assert client.leave() == 0
    assert len(server.requests) == 2


@requirement("RX-12")
def test_a_goal_survives_the_server_and_waits_until_somebody_takes_it_up(daedal: Daedal, model):
    server = model([MORE, stall(after=3), CLAIM])
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread()
        client.call("thread/goal/set", {"threadId": thread, "objective": "Do it."})
        server.wait_for_stall()
        client.process.kill()
        client.process.wait()
    with Noting(daedal) as client:
        client.hello()
        client.call("thread/resume", {"threadId": thread})
        goal = client.call("thread/goal/get", {"threadId": thread})["goal"]
        assert (goal["status"], goal["continuations"]) == ("active", 1)
        assert len(server.requests) == 2
        client.call("thread/goal/set", {"threadId": thread, "status": "active"})
        assert until(client, "complete")["continuations"] == 1
        assert client.leave() == 0


@requirement("RX-12")
def test_nobody_can_report_a_goal_as_complete_whose_check_has_not_passed(daedal: Daedal, model):
    model([say("Hm."), stall()])
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread()
        goal = {"threadId": thread, "objective": "Do it.", "check": "false", "defer": True}
        client.call("thread/goal/set", goal)
        turn = client.turn(thread)["turn"]["id"]
        client.call("thread/goal/set", {"threadId": thread, "status": "paused"})
        report = {"threadId": thread, "turnId": turn, "status": "complete"}
        assert client.call("thread/goal/report", report)["goal"]["status"] == "paused"
        assert client.leave() in (0, 1)


@requirement("RX-12")
def test_bad_requests_are_refused_with_a_sentence(daedal: Daedal, model):
    model([])
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread()
        for params in (
            {"threadId": thread, "status": "active"},
            {"threadId": thread, "objective": " "},
            {"threadId": thread, "objective": "A", "limit": 0},
            {"threadId": thread, "objective": "A", "tokenBudget": -5},
            {"threadId": thread, "objective": "A", "status": "done"},
            {"threadId": "nobody", "objective": "A"},
        ):
            assert client.fails("thread/goal/set", params)["message"]
        assert client.fails("thread/goal/check", {"threadId": thread})["message"]
        assert client.leave() == 0
