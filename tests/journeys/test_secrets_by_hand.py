"""Is a known credential kept out of the record where a person gives it beside a prompt? A name, a goal, an answer."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.journeys.test_secrets_everywhere import PLAIN, leaks
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child

ASKED = {"question": "Which?", "header": "Key", "options": [{"label": "a", "description": ""}] * 2}


@pytest.fixture
def client(daedal: Daedal, model):
    def start(*replies: Any) -> Child:
        model([*replies, say("Done."), say("Done.")], after="repeat")
        daedal.env["ANTHROPIC_API_KEY"] = PLAIN
        child = Child(daedal)
        child.hello(experimentalApi=True)
        return child

    return start


Start = Callable[..., Child]


def ended(daedal: Daedal, child: Child) -> None:
    assert child.leave() == 0
    assert leaks(daedal, PLAIN) == []


@requirement("SD-07")
def test_in_the_name_of_a_thread_and_what_a_fold_is_about(daedal: Daedal, client: Start):
    with client() as child:
        thread = child.thread()
        child.turn(thread)
        child.call("thread/name/set", {"threadId": thread, "name": f"about {PLAIN}"})
        child.call("thread/compact/start", {"threadId": thread, "focus": f"keep {PLAIN}"})
        child.event("turn/completed")
        ended(daedal, child)


@requirement("SD-07")
def test_in_a_goal(daedal: Daedal, client: Start):
    with client(say("[goal:complete]")) as child:
        thread = child.thread()
        child.turn(thread)
        goal = {"threadId": thread, "objective": f"use {PLAIN}", "check": f"echo {PLAIN}; false", "limit": 1}
        child.call("thread/goal/set", goal)
        child.event("turn/completed")
        child.call("thread/goal/set", {"threadId": thread, "status": "paused", "reason": f"wait for {PLAIN}"})
        ended(daedal, child)


@requirement("SD-07")
@pytest.mark.parametrize(
    "answer",
    [
        {"decision": "decline", "message": f"use {PLAIN} instead"},
        {"decision": "accept", "message": f"use {PLAIN} instead"},
        {"decision": "accept", "arguments": {"command": f"echo {PLAIN}"}},
    ],
)
def test_in_the_answer_to_an_approval(daedal: Daedal, client: Start, answer: dict[str, Any]):
    with client(call("Bash", command="touch made")) as child:
        thread = child.thread(approvalPolicy="ask", ask=["Bash"])
        child.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
        child.send(id=child.asked()["id"], result=answer)
        child.event("turn/completed")
        ended(daedal, child)


@requirement("SD-07")
def test_in_the_answer_to_a_question(daedal: Daedal, client: Start):
    with client(call("AskUserQuestion", questions=[ASKED])) as child:
        thread = child.thread()
        child.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
        asked = child.asked()
        name = asked["params"]["questions"][0]["id"]
        child.send(id=asked["id"], result={"answers": {name: {"answers": [PLAIN]}}})
        child.event("turn/completed")
        ended(daedal, child)


@requirement("SD-07")
def test_in_what_is_reviewed_steered_or_run_by_hand(daedal: Daedal, client: Start):
    with client(call("Bash", command="touch made")) as child:
        thread = child.thread(approvalPolicy="ask", ask=["Bash"])
        target = {"type": "custom", "instructions": f"Review {PLAIN}."}
        turn = child.call("review/start", {"threadId": thread, "target": target})["turn"]["id"]
        asked = child.asked()
        words = [{"type": "text", "text": f"Mind {PLAIN}."}]
        child.call("turn/steer", {"threadId": thread, "expectedTurnId": turn, "input": words})
        child.send(id=asked["id"], result={"decision": "accept"})
        child.event("turn/completed")
        child.call("thread/shellCommand", {"threadId": thread, "command": f"echo {PLAIN}"})
        child.event("turn/completed")
        child.call("thread/toolCall", {"threadId": thread, "tool": "Glob", "input": {"pattern": PLAIN}})
        child.call("thread/fork", {"threadId": thread})
        ended(daedal, child)
