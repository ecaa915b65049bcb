"""Is the record true and whole when things go wrong, and does a resumed model see what a live one would?"""

import asyncio
import json
import signal
import sqlite3

import pytest

from daedal.app import HouseOptions, open_house
from daedal.client import CallFailed, Client
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision
from daedal.protocol.events import TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.threads import ThreadResumeParams, ThreadStartParams, ToolCallParams
from daedal.protocol.turns import TurnStartParams
from daedal.protocol.wire import Notification, Request
from tests.journeys.test_bad_input import QUICK, complained, configure
from tests.journeys.test_interrupting import interrupted, wait_for
from tests.toolbox.model_server import ModelServer, call, calls, drop, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def shape(server: ModelServer) -> list[str]:
    """The last request's messages in short: `user[text]`, `assistant[tool_use]` …"""
    messages = server.requests[-1].json["messages"]
    return [f"{m['role']}[{','.join(block['type'] for block in m['content'])}]" for m in messages]


@requirement("SD-02")
def test_a_folder_whose_name_is_no_text_does_not_cost_the_outcome(daedal: Daedal, model):
    server = model([call("Bash", command="mkdir $'\\xff' && cd $'\\xff' && touch done && pwd"), say("Done.")])
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    assert daedal.results()[0]["is_error"] is False
    assert shape(server) == ["user[text]", "assistant[tool_use]", "user[tool_result]"]


@requirement("SD-02")
def test_an_outcome_that_could_not_be_written_is_settled_before_anything_else(daedal: Daedal, model):
    server = model([call("Bash", command="echo ran >> log"), say("I see.")])
    daedal("--eval", '{"tool":"Glob","input":{"pattern":"*"}}', cwd=daedal.home)
    trigger = (
        "CREATE TRIGGER refuse BEFORE INSERT ON transcript_entries WHEN NEW.entry_type = 'tool_result' "
        "BEGIN SELECT RAISE(ABORT, 'disk trouble'); END"
    )
    with sqlite3.connect(daedal.database) as ledger:
        ledger.execute(trigger)
    ledger.close()
    complained(daedal("exec", "Go.", "--approval", "yolo"), 1, "disk trouble")
    assert (daedal.workspace / "log").read_text() == "ran\n"
    assert daedal.rows("SELECT status FROM turns ORDER BY rowid DESC LIMIT 1") == [("inProgress",)]
    with sqlite3.connect(daedal.database) as ledger:
        ledger.execute("DROP TRIGGER refuse")
    ledger.close()
    assert daedal("exec", "--resume", daedal.session, "And now?", "--approval", "yolo").out == "I see.\n"
    assert shape(server) == ["user[text]", "assistant[tool_use]", "user[tool_result]", "user[text]"]
    assert daedal.results()[-1]["content"].startswith("[SDLC_INTERNAL]")
    assert (daedal.workspace / "log").read_text() == "ran\n"


@requirement("SD-25", "DX-04")
def test_a_call_by_hand_that_was_killed_is_told_as_one(daedal: Daedal, model):
    server = model([say("One."), say("Two."), say("Three.")])
    daedal("exec", "Hello.")
    wanted = json.dumps({"tool": "Bash", "input": {"command": "kill -9 $PPID"}})
    killed = daedal("--eval", wanted, "--resume", daedal.session, "--approval", "yolo", "--no-sandbox")
    assert killed.code == -signal.SIGKILL
    assert daedal("exec", "--resume", daedal.session, "Next.").code == 0
    live = server.requests[-1].json["messages"]
    assert shape(server) == ["user[text]", "assistant[text]", "user[text]", "user[text]"]
    assert "I ran Bash" in live[2]["content"][0]["text"]
    daedal("exec", "--resume", daedal.session, "Last.")
    assert [m["content"][0]["text"] for m in server.requests[-1].json["messages"]][:4] == [
        m["content"][0]["text"] for m in live
    ]


def test_a_call_by_hand_after_an_interrupted_turn_keeps_results_behind_their_calls(daedal: Daedal, model):
    server = model([call("Bash", command="touch started; sleep 100"), say("Fine.")])
    process = daedal.start("exec", "Go.", "--approval", "yolo")
    server.wait_for_requests(1)
    wait_for((daedal.workspace / "started").exists)
    assert interrupted(process)[0] == 130
    wanted = json.dumps({"tool": "Glob", "input": {"pattern": "*"}})
    assert daedal("--eval", wanted, "--resume", daedal.session).code == 0
    assert daedal("exec", "--resume", daedal.session, "Next.").code == 0
    assert shape(server) == ["user[text]", "assistant[tool_use]", "user[tool_result]", "user[text]", "user[text]"]


def test_what_a_model_said_before_it_broke_off_for_good_is_kept(daedal: Daedal, model):
    configure(daedal, QUICK)
    broken = drop(after=6, reply=say("The answer is surely forty-", chunks=6))
    server = model([broken] * 3 + [say("two.")])
    run = daedal("exec", "What is it?", "--output-format", "json")
    assert run.code == 75
    (said,) = daedal.entries("assistant")
    assert said["content"][0]["text"] == run.json["result"] != ""
    assert daedal("exec", "--resume", daedal.session).out == "two.\n"
    assert shape(server) == ["user[text]", "assistant[text]", "user[text]"]


def test_an_answer_of_blanks_is_no_answer(daedal: Daedal, model):
    model([say(" \n"), call("Glob", pattern="*"), say(" "), say("Now.")])
    assert daedal("exec", "x").out.strip() == "Now."
    model([say(" ")], after="repeat")
    complained(daedal("exec", "x"), 1, "answered nothing")


async def accept(request: Request) -> ApprovalAnswer:
    del request
    return ApprovalAnswer(decision=ApprovalDecision.ACCEPT)


def in_process(daedal: Daedal, monkeypatch: pytest.MonkeyPatch, scenario, on_request=accept):
    """Runs a scenario with a protocol client of an engine in this process."""
    for name, value in daedal.environment().items():
        monkeypatch.setenv(name, value)

    async def run():
        seen: asyncio.Queue[Notification] = asyncio.Queue()
        options = HouseOptions(cwd=str(daedal.workspace))
        async with open_house(options, on_event=seen.put_nowait, on_request=on_request, on_warning=print) as client:
            return await asyncio.wait_for(scenario(client, seen), 60)

    return asyncio.run(run())


@requirement("SD-04")
def test_a_thread_never_has_two_turns_at_once(daedal: Daedal, model, monkeypatch):
    model([say("Hi."), say("One."), say("Two.")])
    daedal("exec", "Hello.")

    async def scenario(client: Client, seen):
        started = await client.call("thread/resume", ThreadResumeParams(thread_id=daedal.session))
        thread = started.thread.id
        asks = [
            client.call("turn/start", TurnStartParams(thread_id=thread, input=[UserInput("a")])),
            client.call("turn/start", TurnStartParams(thread_id=thread, input=[UserInput("b")])),
            client.call("thread/toolCall", ToolCallParams(thread_id=thread, tool="Glob", input={"pattern": "*"})),
        ]
        answers = await asyncio.gather(*asks, return_exceptions=True)
        while not isinstance((await seen.get()).params, TurnCompleted):
            pass
        return answers

    answers = in_process(daedal, monkeypatch, scenario)
    assert sum(isinstance(answer, CallFailed) for answer in answers) == 2
    assert daedal.rows("SELECT COUNT(*) FROM turns") == [(2,)]


def test_stopping_the_turn_as_an_answer_leaves_its_verdict(daedal: Daedal, model, monkeypatch):
    model([calls(("Glob", {"pattern": "*"}), ("Bash", {"command": "touch made"})), say("never")])

    async def stop(request: Request) -> ApprovalAnswer:
        return ApprovalAnswer(decision=ApprovalDecision.CANCEL)

    async def scenario(client: Client, seen):
        started = await client.call("thread/start", ThreadStartParams(cwd=str(daedal.workspace)))
        await client.call("turn/start", TurnStartParams(thread_id=started.thread.id, input=[UserInput("Go.")]))
        while not isinstance((await seen.get()).params, TurnCompleted):
            pass

    in_process(daedal, monkeypatch, scenario, stop)
    rows = daedal.rows("SELECT tool_name, decision FROM tool_permission_log ORDER BY id")
    assert rows == [("Glob", "allow"), ("Bash", "deny")]


def test_a_client_that_leaves_while_it_is_asked_does_not_hold_up_the_end(daedal: Daedal, monkeypatch):
    asked = asyncio.Event()

    async def silent(request: Request) -> ApprovalAnswer:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError(request)

    async def scenario(client: Client, seen):
        started = await client.call("thread/start", ThreadStartParams(cwd=str(daedal.workspace), without_model=True))
        wanted = ToolCallParams(thread_id=started.thread.id, tool="Bash", input={"command": "touch made"})
        call_under_way = asyncio.ensure_future(client.call("thread/toolCall", wanted))
        await asked.wait()
        call_under_way.cancel()

    in_process(daedal, monkeypatch, scenario, silent)
    assert not (daedal.workspace / "made").exists()
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


def test_a_session_that_could_not_be_loaded_is_free_again(daedal: Daedal, model, monkeypatch):
    model([say("Hi.")])
    daedal("exec", "Hello.")
    configure(daedal, "[tools]\nenabled = ['Nope']\n")

    async def scenario(client: Client, seen):
        messages = []
        for _ in range(2):
            with pytest.raises(CallFailed) as failure:
                await client.call("thread/resume", ThreadResumeParams(thread_id=daedal.session))
            messages.append(str(failure.value))
        return messages

    first, second = in_process(daedal, monkeypatch, scenario)
    assert "Nope" in first
    assert first == second


def test_the_resumed_thread_starts_where_it_works(daedal: Daedal, model, tmp_path):
    (daedal.workspace / "deep").mkdir()
    other = tmp_path / "other"
    other.mkdir()
    where = call("Bash", command="pwd")
    model([call("Bash", command="cd deep"), say("In."), where, say("There."), where, say("Elsewhere.")])
    daedal("exec", "Go in.", "--approval", "yolo")
    daedal("exec", "--continue", "Where?", "--approval", "yolo")
    assert daedal.results()[-1]["content"].strip() == str((daedal.workspace / "deep").resolve())
    daedal("exec", "--resume", daedal.session, "Where?", "-C", str(other), "--approval", "yolo")
    assert daedal.results()[-1]["content"].strip() == str(other.resolve())
