"""Can a person begin to plan, and stop planning, whenever they like? The phase follows, on the record and for all."""

import json

from tests.journeys.test_app_server import begin
from tests.journeys.test_settings import WRITE, change, phases
from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child


@requirement("RX-11", "SD-20")
def test_plan_mode_is_entered_and_left_by_hand_and_what_was_granted_stays(daedal: Daedal, model):
    touch = call("Bash", command="touch granted")
    server = model([touch, say("1"), touch, say("2"), touch, say("3")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        begin(client, thread)
        client.send(id=client.asked()["id"], result={"decision": "acceptForSession"})
        client.event("turn/completed")
        assert change(client, thread, permissionMode="plan")["collaborationMode"]["mode"] == "plan"
        client.turn(thread)
        left = change(client, thread, permissionMode="default")
        assert (left["permissionMode"], left["phase"]) == ("default", "idle")
        client.turn(thread)
    assert phases(daedal) == [("idle", "planning"), ("planning", "idle")]
    first, second, third = daedal.results()
    assert (first["is_error"], third["is_error"]) == (False, False)
    assert "phase:planning" in second["content"]
    told = [json.dumps(request.json["messages"][-1]) for request in server.requests]
    assert "switched to plan mode" in told[2]
    assert "ended plan mode" in told[4]


def test_a_plan_that_is_approved_after_plan_mode_was_left_leads_nowhere(daedal: Daedal, model):
    model([call("ExitPlanMode", plan="# Do it"), WRITE, say("Done.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(permissionMode="plan")
        begin(client, thread)
        asked = client.asked()
        assert change(client, thread, permissionMode="default")["phase"] == "idle"
        client.send(id=asked["id"], result={"decision": "accept", "action": "accept"})
        client.send(id=client.asked()["id"], result={"decision": "decline"})
        client.event("turn/completed")
        assert change(client, thread)["phase"] == "idle"
    assert phases(daedal) == [("idle", "planning"), ("planning", "idle")]


def test_planning_again_while_the_approval_is_not_on_record_yet_comes_after_it(daedal: Daedal, model):
    question = {"question": "Q?", "header": "Q", "multiSelect": False, "options": [{"label": "A"}, {"label": "B"}]}
    both = calls(("ExitPlanMode", {"plan": "# Do it"}), ("AskUserQuestion", {"questions": [question]}))
    model([both, WRITE, say("Done.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(permissionMode="plan")
        begin(client, thread)
        client.send(id=client.asked()["id"], result={"decision": "accept", "action": "accept"})
        asked = client.asked("item/tool/requestUserInput")
        assert change(client, thread)["phase"] == "implement"
        assert change(client, thread, permissionMode="plan")["phase"] == "planning"
        client.send(id=asked["id"], result={"answers": {"0": {"answers": ["A"]}}})
        assert client.event("turn/completed")["turn"]["status"] == "completed"
    assert phases(daedal) == [("idle", "planning"), ("planning", "implement"), ("implement", "planning")]
    assert "phase:planning" in daedal.results()[-1]["content"]


def test_an_approved_plan_ends_plan_mode_for_every_listener(daedal: Daedal, model):
    model([call("EnterPlanMode"), call("ExitPlanMode", plan="# Do it"), say("Done.")])
    with Child(daedal) as client:
        client.hello()
        begin(client, client.thread(approvalPolicy="auto"))
        said: list[str] = []
        while "implement" not in said:
            message = client.wait(lambda one: "id" in one or one.get("method") == "thread/settings/updated")
            if "id" in message and "method" in message:
                client.send(id=message["id"], result={"decision": "accept", "action": "accept"})
            elif "id" not in message:
                said.append(message["params"]["threadSettings"]["phase"])
        client.event("turn/completed")
    assert said == ["planning", "implement"]


def test_plan_mode_in_the_words_of_codex(daedal: Daedal, model):
    model([WRITE, say("Planned.")])
    with Child(daedal) as client:
        client.hello(experimentalApi=True)
        thread = client.thread(permissionMode="acceptEdits")
        client.turn(thread, collaborationMode={"mode": "plan", "settings": {"model": "claude-sonnet-4-20250514"}})
        assert change(client, thread)["permissionMode"] == "plan"
        default = {"mode": "default", "settings": {"model": "claude-sonnet-4-20250514", "reasoning_effort": "minimal"}}
        told = change(client, thread, collaborationMode=default)
        assert (told["phase"], told["effort"]) == ("idle", "low")
    assert not (daedal.workspace / "made").exists()


def test_a_plan_that_was_begun_by_hand_is_still_being_made_after_a_resume(daedal: Daedal, model):
    model([say("One."), WRITE, say("Two."), WRITE, say("Three.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(permissionMode="acceptEdits")
        client.turn(thread)
        change(client, thread, permissionMode="plan")
    with Child(daedal) as client:
        client.hello()
        opened = client.call("thread/resume", {"threadId": thread})
        assert (opened["permissionMode"], opened["phase"]) == ("plan", "planning")
        client.turn(thread)
        assert not (daedal.workspace / "made").exists()
        assert change(client, thread, permissionMode="acceptEdits")["phase"] == "idle"
        client.turn(thread)
    assert (daedal.workspace / "made").exists()
