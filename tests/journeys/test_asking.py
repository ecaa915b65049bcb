"""What happens when the model asks the person? A protocol client answers questions, and approves plans or does not."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from daedal.app import HouseOptions, open_house
from daedal.client import Client
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.events import TurnCompleted
from daedal.protocol.inquiries import INQUIRY_METHOD, Chosen, InputAnswer, InputRequest
from daedal.protocol.items import UserInput
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.turns import TurnStartParams
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

COLOUR = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}],
}
ASK = call("AskUserQuestion", questions=[COLOUR])
PLAN = "# Plan\n1. Write b.\n"
WRITE = ("Write", {"file_path": "b", "content": "x"})


def drive(
    daedal: Daedal,
    monkeypatch: pytest.MonkeyPatch,
    answer: Callable[[Request], Awaitable[Any]],
    *prompts: str,
    **options: Any,
) -> None:
    """Turns of one thread by a client in this process, which answers what it is asked."""
    for name, value in daedal.environment().items():
        monkeypatch.setenv(name, value)

    async def run(client: Client, ends: asyncio.Queue[str]) -> None:
        started = await client.call("thread/start", ThreadStartParams(cwd=str(daedal.workspace), **options))
        for prompt in prompts or ("Go.",):
            await client.call("turn/start", TurnStartParams(thread_id=started.thread.id, input=[UserInput(prompt)]))
            assert await ends.get() == "completed"

    async def scenario() -> None:
        ends: asyncio.Queue[str] = asyncio.Queue()

        def see(notification: Notification) -> None:
            if isinstance(notification.params, TurnCompleted):
                ends.put_nowait(str(notification.params.turn.status))

        house = HouseOptions(cwd=str(daedal.workspace))
        async with open_house(house, on_event=see, on_request=answer, on_warning=print) as client:
            await asyncio.wait_for(run(client, ends), 60)

    asyncio.run(scenario())


def choosing(*labels: str, asked: list[InputRequest]) -> Callable[[Request], Awaitable[Any]]:
    async def answer(request: Request) -> InputAnswer:
        assert request.method == INQUIRY_METHOD
        asked.append(request.params)
        return InputAnswer(answers={each.id: Chosen(answers=list(labels)) for each in request.params.questions})

    return answer


def deciding(decision: ApprovalDecision, asked: list[ApprovalRequest]) -> Callable[[Request], Awaitable[Any]]:
    async def answer(request: Request) -> ApprovalAnswer:
        asked.append(request.params)
        return ApprovalAnswer(decision=decision)

    return answer


@requirement("SD-16/AskUserQuestion")
def test_an_answered_question_reaches_the_model_and_the_record(daedal: Daedal, model, monkeypatch):
    server = model([ASK, say("Blue it is.")])
    asked: list[InputRequest] = []
    drive(daedal, monkeypatch, choosing("Blue", asked=asked))
    (question,) = asked[0].questions
    assert (question.header, question.question, question.is_other) == ("Colour", "Which colour?", True)
    assert [choice.label for choice in question.options] == ["Red", "Blue"]
    (result,) = daedal.results()
    assert not result["is_error"]
    assert '"Which colour?"="Blue"' in result["content"]
    assert '\\"Which colour?\\"=\\"Blue\\"' in server.requests[1].body.decode()
    (verdict,) = daedal.rows("SELECT decision, reason_json FROM tool_permission_log")
    assert verdict[0] == "allow"
    assert json.loads(verdict[1])["input"]["answers"] == {"Which colour?": "Blue"}


@requirement("SD-16/AskUserQuestion")
def test_several_choices_and_words_of_the_persons_own_are_answers_too(daedal: Daedal, model, monkeypatch):
    several = {**COLOUR, "multiSelect": True}
    model([call("AskUserQuestion", questions=[several]), say("Both.")])
    asked: list[InputRequest] = []
    drive(daedal, monkeypatch, choosing("Red", "a little green", asked=asked))
    assert asked[0].questions[0].multi_select
    assert '"Which colour?"="Red, a little green"' in daedal.results()[0]["content"]


@requirement("SD-16/AskUserQuestion")
def test_answers_that_the_model_made_up_count_for_nothing(daedal: Daedal, model, monkeypatch):
    model([call("AskUserQuestion", questions=[COLOUR], answers={"Which colour?": "Red"}), say("Blue then.")])
    drive(daedal, monkeypatch, choosing("Blue", asked=[]))
    assert '"Which colour?"="Blue"' in daedal.results()[0]["content"]
    assert "Red" not in daedal.results()[0]["content"]


@requirement("SD-16/AskUserQuestion")
@pytest.mark.parametrize("flags", [[], ["--approval", "yolo"], ["--approval", "auto"], ["--allow", "AskUserQuestion"]])
def test_without_a_person_no_posture_and_no_rule_answers(daedal: Daedal, model, flags: list[str]):
    model([ASK, say("I chose red.")])
    done = daedal("exec", "Go.", *flags)
    assert done.code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert "decide yourself" in result["content"]


@requirement("SD-16/AskUserQuestion")
def test_silence_until_the_deadline_is_no_answer(daedal: Daedal, model, monkeypatch):
    configure(daedal, "[agent]\napproval_timeout_s = 0.2\n")
    model([ASK, say("I chose red.")])

    async def silent(request: Request) -> InputAnswer:
        await asyncio.Event().wait()
        raise AssertionError(request)

    drive(daedal, monkeypatch, silent)
    assert "nobody answered in time" in daedal.results()[0]["content"]


@requirement("SD-16/AskUserQuestion")
@pytest.mark.parametrize("questions", [[], "red?", [{"question": 1}], [{**COLOUR, "options": []}]])
def test_a_question_that_makes_no_sense_is_the_models_mistake(daedal: Daedal, model, questions: object):
    model([call("AskUserQuestion", questions=questions), say("Sorry.")])
    assert daedal("exec", "Go.").code == 0
    assert daedal.results()[0]["is_error"]


@requirement("SD-20", "SD-16/EnterPlanMode", "SD-16/ExitPlanMode")
def test_a_plan_is_drafted_approved_and_carried_out(daedal: Daedal, model, monkeypatch):
    model([calls(("EnterPlanMode", {}), WRITE), call("ExitPlanMode", plan=PLAN), calls(WRITE), say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, deciding(ApprovalDecision.ACCEPT, asked))
    # The plan is asked about, and nothing of what it says is asked about again.
    assert [(request.tool, request.arguments) for request in asked] == [("ExitPlanMode", {"plan": PLAN})]
    assert (daedal.workspace / "b").read_text() == "x"
    assert [result["is_error"] for result in daedal.results()] == [False, True, False, False]
    assert daedal.rows("SELECT phase FROM conversations") == [("implement",)]
    ((content, status, digest, approved_at),) = daedal.rows("SELECT content, status, hash, approved_at FROM plans")
    assert (content, status, len(digest)) == (PLAN, "approved", 64)
    assert approved_at is not None
    moves = [
        json.loads(detail) for (detail,) in daedal.rows("SELECT detail FROM events WHERE event_type='PhaseChanged'")
    ]
    assert [(move["before"], move["after"]) for move in moves] == [("idle", "planning"), ("planning", "implement")]


@requirement("SD-20")
def test_the_window_of_an_approved_plan_closes_with_its_turn(daedal: Daedal, model, monkeypatch):
    other = call("Write", file_path="c", content="x")
    model([call("EnterPlanMode"), call("ExitPlanMode", plan=PLAN), calls(WRITE), say("Done."), other, say("More.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, deciding(ApprovalDecision.ACCEPT, asked), "Plan.", "And more.")
    assert [request.tool for request in asked] == ["ExitPlanMode", "Write"]


@requirement("SD-20", "SD-16/ExitPlanMode")
def test_a_declined_plan_stays_a_draft_and_holds_everything_back(daedal: Daedal, model, monkeypatch):
    better = PLAN + "2. Test it.\n"
    model(
        [
            call("EnterPlanMode"),
            call("ExitPlanMode", plan=PLAN),
            calls(WRITE),
            call("ExitPlanMode", plan=better),
            say("Then not."),
        ]
    )
    drive(daedal, monkeypatch, deciding(ApprovalDecision.DECLINE, []))
    assert not (daedal.workspace / "b").exists()
    assert daedal.rows("SELECT content, status FROM plans ORDER BY id") == [(PLAN, "superseded"), (better, "draft")]
    assert daedal.rows("SELECT phase FROM conversations") == [("planning",)]


@requirement("SD-20")
def test_plan_mode_by_flag_ends_with_the_approval_for_good(daedal: Daedal, model, monkeypatch):
    other = call("Write", file_path="c", content="x")
    model([call("ExitPlanMode", plan=PLAN), calls(WRITE), say("Done."), other, say("More.")])
    drive(
        daedal,
        monkeypatch,
        deciding(ApprovalDecision.ACCEPT, []),
        "Plan.",
        "And more.",
        permission_mode="plan",
    )
    assert (daedal.workspace / "b").exists()
    assert (daedal.workspace / "c").exists()
    assert daedal.rows("SELECT phase FROM conversations") == [("implement",)]


@requirement("SD-20")
def test_planning_again_retires_the_plan_that_was_approved(daedal: Daedal, model, monkeypatch):
    model([call("EnterPlanMode"), call("ExitPlanMode", plan=PLAN), calls(("EnterPlanMode", {}), WRITE), say("Hm.")])
    drive(daedal, monkeypatch, deciding(ApprovalDecision.ACCEPT, []))
    assert not (daedal.workspace / "b").exists()
    assert daedal.rows("SELECT status FROM plans") == [("superseded",)]
    assert daedal.rows("SELECT phase FROM conversations") == [("planning",)]


@requirement("SD-20", "SD-16/ExitPlanMode")
@pytest.mark.parametrize("flags", [["--approval", "yolo"], ["--allow", "ExitPlanMode"], []])
def test_without_a_person_a_plan_is_kept_as_a_draft(daedal: Daedal, model, flags: list[str]):
    model([call("EnterPlanMode"), call("ExitPlanMode", plan=PLAN), calls(WRITE), say("It is drafted.")])
    assert daedal("exec", "Go.", *flags).code == 0
    assert not (daedal.workspace / "b").exists()
    assert daedal.rows("SELECT content, status FROM plans") == [(PLAN, "draft")]
    assert "tell the user that `daedal plan show`" in daedal.results()[1]["content"]
    assert "`daedal plan approve` approves it" in daedal.results()[1]["content"]


@requirement("SD-16/ExitPlanMode")
def test_nobody_is_asked_about_a_plan_that_is_none(daedal: Daedal, model, monkeypatch):
    model([call("ExitPlanMode", plan=PLAN), call("EnterPlanMode"), call("ExitPlanMode", plan="  "), say("Hm.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, deciding(ApprovalDecision.ACCEPT, asked))
    assert asked == []
    assert daedal.rows("SELECT * FROM plans") == []
    assert [result["is_error"] for result in daedal.results()] == [True, False, True]


@requirement("SD-20", "SD-16/EnterPlanMode")
def test_plans_are_made_by_hand_too(daedal: Daedal):
    def by_hand(tool: str, **given: object) -> int:
        return daedal("--eval", json.dumps({"tool": tool, "input": given})).code

    assert by_hand("EnterPlanMode") == 0
    assert daedal.rows("SELECT phase FROM conversations") == [("planning",)]
    assert by_hand("Write", file_path="b", content="x") == 1
    assert by_hand("ExitPlanMode", plan=PLAN) == 1  # Nobody is there to approve it.
    assert daedal.rows("SELECT status FROM plans") == [("draft",)]


@requirement("SD-20")
def test_a_draft_is_read_and_approved_from_the_command_line_and_then_carried_out(daedal: Daedal, model):
    model([call("ExitPlanMode", plan=PLAN), say("It is drafted."), calls(WRITE), say("Done.")])
    assert daedal("plan").out.startswith("No plan here yet")
    assert daedal("plan", "approve").code == 1
    assert daedal("exec", "Plan.", "--permission-mode", "plan").code == 0
    assert "draft" in daedal("plan").out
    assert daedal("plan", "show").out == PLAN + "\n"
    assert daedal("plan", "approve").code == 0
    assert json.loads(daedal("plan", "--json").out)[0]["status"] == "approved"
    assert daedal.rows("SELECT phase FROM conversations") == [("implement",)]
    assert daedal("plan", "approve").code == 1
    assert daedal("exec", "Carry it out.", "--continue").code == 0
    assert (daedal.workspace / "b").read_text() == "x"


@requirement("SD-20")
def test_only_the_plan_that_was_read_is_approved_where_it_is_named(daedal: Daedal, model):
    better = "# Better\n\nLook twice."
    model(
        [
            *[call("ExitPlanMode", plan=PLAN), say("Drafted.")],
            *[call("ExitPlanMode", plan=better), say("Drafted anew.")],
        ]
    )
    assert daedal("exec", "Plan.", "--permission-mode", "plan").code == 0
    shown = daedal("plan", "show")
    assert shown.err.startswith("plan 1 · draft · ")
    assert shown.err.endswith("daedal plan approve --plan 1\n")
    assert daedal("exec", "Better.", "--continue").code == 0
    late = daedal("plan", "approve", "--plan", "1")
    assert late.code == 1
    assert "plan 1 is not the newest, plan 2 is" in late.err
    assert daedal.rows("SELECT id, status FROM plans ORDER BY id") == [(1, "superseded"), (2, "draft")]
    assert daedal("plan", "show", "--plan", "1").out == PLAN + "\n"
    assert "There is no plan 7" in daedal("plan", "show", "--plan", "7").err
    done = daedal("plan", "approve", "--plan", "2")
    assert done.code == 0
    assert re.search(r"plan 2 \([0-9a-f]{12}, “Better”\) is approved", done.out)
    assert daedal.rows("SELECT id, status FROM plans ORDER BY id") == [(1, "superseded"), (2, "approved")]


@requirement("AU-18")
def test_under_never_nobody_is_asked_to_let_a_call_out_of_the_walls(daedal: Daedal, model, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(daedal.workspace))
    model([call("Bash", command="touch ../outside"), say("It stayed inside.")])
    asked: list[Any] = []

    async def answer(request: Request) -> ApprovalAnswer:
        asked.append(request.params)
        return ApprovalAnswer(decision=ApprovalDecision.ACCEPT)

    drive(daedal, monkeypatch, answer, approval_policy=Posture.NEVER, allow=["Bash"])
    assert asked == []
    assert not (daedal.root / "outside").exists()
