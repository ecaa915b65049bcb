"""What happens when the gate asks? A protocol client accepts, declines, stops the turn, or is silent."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from daedal.app import HouseOptions, open_house
from daedal.client import Client
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.events import TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.records import TurnStatus
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.turns import Turn, TurnStartParams
from daedal.protocol.wire import Notification, Request
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

Answer = Callable[[Request], Awaitable[ApprovalAnswer]]
TOUCH = call("Bash", command="touch made; echo touched")


def drive(daedal: Daedal, monkeypatch: pytest.MonkeyPatch, answer: Answer) -> Turn:
    """One turn by a client in this process, which answers approval requests."""
    for name, value in daedal.environment().items():
        monkeypatch.setenv(name, value)

    async def turn() -> Turn:
        over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()

        def see(notification: Notification) -> None:
            if isinstance(notification.params, TurnCompleted):
                over.set_result(notification.params.turn)

        async def run(client: Client) -> Turn:
            started = await client.call("thread/start", ThreadStartParams(cwd=str(daedal.workspace)))
            await client.call("turn/start", TurnStartParams(thread_id=started.thread.id, input=[UserInput("Go.")]))
            return await over

        async with open_house(
            HouseOptions(cwd=str(daedal.workspace)), on_event=see, on_request=answer, on_warning=print
        ) as client:
            return await asyncio.wait_for(run(client), 60)

    return asyncio.run(turn())


def answering(decision: ApprovalDecision, asked: list[ApprovalRequest]) -> Answer:
    async def answer(request: Request) -> ApprovalAnswer:
        asked.append(request.params)
        return ApprovalAnswer(decision=decision)

    return answer


def reasons(daedal: Daedal) -> list[dict[str, object]]:
    return [json.loads(row[0]) for row in daedal.rows("SELECT reason_json FROM tool_permission_log ORDER BY id")]


def test_an_accepted_call_runs_and_is_asked_again_the_next_time(daedal: Daedal, model, monkeypatch):
    model([TOUCH, TOUCH, say("Done.")])
    asked: list[ApprovalRequest] = []
    turn = drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT, asked))
    assert turn.status is TurnStatus.COMPLETED
    assert (daedal.workspace / "made").exists()
    assert [(request.tool, request.rule) for request in asked] == [("Bash", "fallback")] * 2
    assert asked[0].arguments == {"command": "touch made; echo touched"}
    assert all(reason["asked"] for reason in reasons(daedal))


def test_a_call_accepted_for_the_session_is_asked_once(daedal: Daedal, model, monkeypatch):
    other = call("Bash", command="touch other")
    model([TOUCH, TOUCH, other, say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT_FOR_SESSION, asked))
    assert [request.arguments["command"] for request in asked] == ["touch made; echo touched", "touch other"]


def test_a_declined_call_does_not_run_and_the_turn_goes_on(daedal: Daedal, model, monkeypatch):
    model([TOUCH, say("Then not.")])
    turn = drive(daedal, monkeypatch, answering(ApprovalDecision.DECLINE, []))
    assert turn.status is TurnStatus.COMPLETED
    assert not (daedal.workspace / "made").exists()
    assert "the user declined" in daedal.results()[0]["content"]


def test_a_cancelling_answer_stops_the_turn_with_every_call_answered(daedal: Daedal, model, monkeypatch):
    model([TOUCH, say("never")])
    turn = drive(daedal, monkeypatch, answering(ApprovalDecision.CANCEL, []))
    assert turn.status is TurnStatus.INTERRUPTED
    assert not (daedal.workspace / "made").exists()
    assert "did not run" in daedal.results()[0]["content"]


def test_silence_until_the_deadline_counts_as_declined_and_is_labelled_so(daedal: Daedal, model, monkeypatch):
    configure(daedal, "[agent]\napproval_timeout_s = 0.2\n")
    model([TOUCH, say("Nobody was there.")])

    async def silent(request: Request) -> ApprovalAnswer:
        await asyncio.Event().wait()
        raise AssertionError(request)

    turn = drive(daedal, monkeypatch, silent)
    assert turn.status is TurnStatus.COMPLETED
    assert not (daedal.workspace / "made").exists()
    (reason,) = reasons(daedal)
    assert reason["by_default"] is True


def test_a_client_that_cannot_answer_counts_as_declined(daedal: Daedal, model, monkeypatch):
    model([TOUCH, say("Nobody was there.")])

    async def broken(request: Request) -> ApprovalAnswer:
        raise RuntimeError(request.method)

    assert drive(daedal, monkeypatch, broken).status is TurnStatus.COMPLETED
    assert not (daedal.workspace / "made").exists()


def granting(decision: ApprovalDecision, asked: list[ApprovalRequest], rule: str | None = None) -> Answer:
    async def answer(request: Request) -> ApprovalAnswer:
        asked.append(request.params)
        return ApprovalAnswer(decision=decision, rule=rule)

    return answer


@requirement("RX-10")
def test_always_is_written_into_the_users_file_with_comments_kept_and_holds_in_the_next_run(
    daedal: Daedal, model, monkeypatch
):
    config = configure(daedal, '# mine\n[permissions]\n# careful\ndeny = ["Bash(rm:*)"] # never\n')
    model([call("Bash", command="npm test --silent"), say("Done.")], after="cycle")
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, granting(ApprovalDecision.ACCEPT_ALWAYS, asked))
    (question,) = asked
    assert question.offers.always, question
    written = config.read_text()
    assert question.offers.always[0] in written
    assert all(comment in written for comment in ("# mine", "# careful", "# never"))
    drive(daedal, monkeypatch, granting(ApprovalDecision.DECLINE, asked))
    assert len(asked) == 1
    assert reasons(daedal)[-1]["rule"] == f"allow: {question.offers.always[0]}"


@requirement("RX-10")
def test_what_is_granted_for_a_session_is_asked_again_in_the_next(daedal: Daedal, model, monkeypatch):
    config = configure(daedal, "# mine\n")
    model([TOUCH, TOUCH, say("Done.")], after="cycle")
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT_FOR_SESSION, asked))
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT_FOR_SESSION, asked))
    assert len(asked) == 2
    assert config.read_text() == "# mine\n"


@requirement("RX-10")
def test_a_rule_that_was_not_offered_is_not_granted(daedal: Daedal, model, monkeypatch):
    config = configure(daedal, "")
    model([call("Bash", command="npm test"), call("Bash", command="touch y"), say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, granting(ApprovalDecision.ACCEPT_ALWAYS, asked, rule="Bash"))
    assert len(asked) == 2
    assert '"Bash"' not in config.read_text()


@requirement("RX-10")
@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /",
        "bash -c 'x'",
        "npm test && curl x | sh",
        "echo $(id)",
        "sudo ls",
        "python3 -c 'x'",
        "env X=1 sh",
        "x;",
    ],
)
def test_no_offer_is_wider_than_what_a_person_reads(daedal: Daedal, model, monkeypatch, command: str):
    model([call("Bash", command=command), say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.DECLINE, asked))
    broad = {"Bash", "Bash(*)", "Bash(:*)"}
    broad |= {f"Bash({word}:*)" for word in ("rm", "bash", "sh", "sudo", "python3", "env", "echo")}
    for question in asked:
        assert not broad & {*question.offers.for_session, *question.offers.always}, question.offers


@requirement("RX-10")
def test_what_only_a_person_may_allow_offers_nothing_for_longer(daedal: Daedal, model, monkeypatch):
    model([call("Write", file_path="daedal.toml", content="x"), say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT_ALWAYS, asked))
    (question,) = asked
    assert (question.offers.for_session, question.offers.always) == ([], [])
    assert question.rule == "baseline:steering"


@requirement("RX-10")
def test_a_question_carries_its_deadline(daedal: Daedal, model, monkeypatch):
    configure(daedal, "[agent]\napproval_timeout_s = 30\n")
    model([TOUCH, say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.DECLINE, asked))
    assert abs(asked[0].deadline_ms - (time.time() + 30) * 1000) < 30_000


def outside(daedal: Daedal) -> Path:
    """A folder that no wall lets a command write to."""
    folder = daedal.root / "outside"
    folder.mkdir()
    return folder


@requirement("RX-16")
@pytest.mark.parametrize("accepts", [True, False])
def test_what_the_walls_stopped_can_be_let_out_once_and_both_verdicts_are_on_record(
    daedal: Daedal, model, monkeypatch, accepts: bool
):
    folder = outside(daedal)
    daedal.env["TMPDIR"] = str(daedal.workspace)
    model([call("Bash", command=f"touch {folder}/made"), say("Done.")])
    asked: list[ApprovalRequest] = []

    async def answer(request: Request) -> ApprovalAnswer:
        asked.append(request.params)
        is_escape = request.params.rule == "sandbox:escape"
        return ApprovalAnswer(
            decision=ApprovalDecision.ACCEPT if accepts or not is_escape else ApprovalDecision.DECLINE
        )

    drive(daedal, monkeypatch, answer)
    assert [question.rule for question in asked] == ["fallback", "sandbox:escape"]
    assert str(folder) in asked[1].reason
    assert (folder / "made").exists() is accepts
    decided = daedal.rows("SELECT decision, reason_json FROM tool_permission_log ORDER BY id")
    assert [(decision, json.loads(reason)["rule"]) for decision, reason in decided] == [
        ("allow", "fallback"),
        ("allow" if accepts else "deny", "sandbox:escape"),
    ]
    (result,) = daedal.results()
    assert result["is_error"] is not accepts


@requirement("RX-16", "RX-11")
@pytest.mark.parametrize("posture", ["ask", "auto", "yolo"])
def test_with_nobody_there_what_the_walls_stopped_stays_stopped_and_the_model_learns_why(
    daedal: Daedal, model, posture: str
):
    folder = outside(daedal)
    server = model(
        [
            call("Bash", command=f"touch {folder}/made"),
            call("Bash", command=f"touch {folder}/made", dangerouslyDisableSandbox=True),
            say("Done."),
        ]
    )
    assert daedal("exec", "Go.", "--approval", posture, TMPDIR=str(daedal.workspace)).code == 0
    assert not (folder / "made").exists()
    told = [request.json["messages"][-1]["content"][0]["content"] for request in server.requests[1:]]
    assert f"[sandbox] The sandbox kept this command from: writing {folder}/made" in told[0]
    assert "leaving the sandbox is for a person to allow" in told[1]


@requirement("RX-11")
@pytest.mark.parametrize(
    "flags", [("--approval", "yolo"), ("--allow", "Bash"), ("--permission-mode", "bypassPermissions")]
)
def test_nothing_but_a_person_lets_a_command_out_of_the_sandbox(daedal: Daedal, model, flags: tuple[str, ...]):
    model([call("Bash", command="touch made", dangerouslyDisableSandbox=True), say("Done.")])
    daedal("exec", "Go.", *flags)
    assert not (daedal.workspace / "made").exists()
    assert reasons(daedal)[0]["rule"] == "sandbox:escape"
