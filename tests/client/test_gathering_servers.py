"""Is the same known of a thread, whichever app-server tells of it? Daedal's own and the real Codex, with one script."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daedal.client import AskKind, Gathering, TurnSummary, read_line
from daedal.protocol.items import ItemStatus
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import ErrorKind
from daedal.protocol.wire import Request
from tests.client.sides import CodexSide, NativeSide, Side, counted, working
from tests.toolbox.model_server import ModelServer, call, fail, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Server, WireClient

Model = Callable[..., ModelServer]


@pytest.fixture
def side(request: pytest.FixtureRequest, daedal: Daedal) -> Side:
    return CodexSide(daedal) if request.param == "codex" else NativeSide(daedal)


both = pytest.mark.parametrize("side", ["native", "codex"], indirect=True)
codex = pytest.mark.parametrize("side", ["codex"], indirect=True)

POLICY = {"approvalPolicy": "untrusted"}


def shared(summary: TurnSummary) -> dict[str, Any]:
    """All but names, prices, the time it took, and what only one of them has."""
    told = msgspec.to_builtins(summary)
    for key in ("threadId", "turnId", "costUsd", "durationMs", "toolCalls"):
        del told[key]
    told["plan"] = [(step["step"], step["status"]) for step in told["plan"]]
    told["files"] = [(os.path.basename(file["path"]), file["kind"]) for file in told["files"]]
    told["approvals"] = [(asked["kind"], asked["answer"]) for asked in told["approvals"]]
    return told


def work(side: Side, model: Model) -> TurnSummary:
    (side.daedal.workspace / "old.txt").write_text("before\n")
    server = model(counted(*working(side)))
    with side.connect(server) as client:
        client.hello()
        thread = client.thread(**side.options, **POLICY)
        return client.play(thread, "accept", "accept", "decline")


EXPECTED = {
    "status": "completed",
    "error": None,
    "message": "All done.",
    "plan": [("look", "completed"), ("mend", "completed")],
    "diff": {"files": 2, "added": 3, "removed": 1},
    "files": [("new.txt", "add"), ("old.txt", "update")],
    "commands": [
        {"command": "touch made", "status": "completed", "exitCode": 0},
        {"command": "touch other; exit 3", "status": "failed", "exitCode": 3},
        {"command": "touch never", "status": "declined", "exitCode": None},
    ],
    "declined": 1,
    "modelCalls": 9,
    "usage": {
        "input_tokens": 63,
        "output_tokens": 63,
        "cache_read_tokens": 36,
        "cache_write_tokens": 0,
        "reasoning_tokens": 18,
    },
    "troubles": [],
    "approvals": [
        ("command", "accept"),
        ("command", "accept"),
        ("command", "decline"),
        ("fileChange", "accept"),
        ("fileChange", "accept"),
        ("fileChange", "accept"),
    ],
    "compactions": 0,
    "itemsDropped": 0,
}


@requirement("FA-02", "FA-01")
@both
def test_a_turn_comes_to_the_same_with_daedals_server_and_with_codex(side: Side, model: Model):
    summary = work(side, model)
    assert shared(summary) == EXPECTED
    assert summary.duration_ms is not None
    # Our model keeps its list with a call of a tool; that of Codex does not.
    assert summary.tool_calls == (8 if side.name == "native" else 6)


@requirement("FA-02")
@both
def test_an_error_is_not_the_end_of_a_turn_and_says_what_it_was(side: Side, model: Model):
    server = model([fail(401)])
    with side.connect(server) as client:
        client.hello()
        thread = client.thread(**side.options)
        client.begin(thread)
        client.event("error")
        known = client.known(thread)
        assert known.is_running
        client.event("turn/completed")
        summary = client.summary(thread)
    assert not known.is_running
    assert (summary.status, summary.commands) == (TurnStatus.FAILED, [])
    assert summary.error is not None
    assert summary.error.kind is ErrorKind.AUTHENTICATION
    assert [(trouble.kind, trouble.will_retry) for trouble in summary.troubles] == [(ErrorKind.AUTHENTICATION, False)]


@requirement("FA-02")
@both
def test_a_question_waits_until_it_is_answered_or_its_turn_is_over(side: Side, model: Model):
    server = model([side.run("touch made")])
    with side.connect(server) as client:
        client.hello()
        thread = client.thread(**side.options, **POLICY)
        turn = client.begin(thread)
        client.asked("item/commandExecution/requestApproval")
        (asked,) = client.known(thread).pending
        assert (asked.kind, asked.turn_id, asked.answer) == (AskKind.COMMAND, turn, None)
        client.ask("turn/interrupt", {"threadId": thread, "turnId": turn})
        client.event("turn/completed")
        summary = client.summary(thread)
        assert client.known(thread).pending == []
    assert summary.status is TurnStatus.INTERRUPTED
    assert [run.command for run in summary.commands] == ["touch made"]
    assert not (side.daedal.workspace / "made").exists()


@requirement("FA-02")
@both
def test_words_are_known_while_they_come_and_stay_when_the_turn_is_cut_off(side: Side, model: Model):
    server = model([stall(after=8, reply=say("half a sentence that goes on and on", chunks=6).but(separately=True))])
    with side.connect(server) as client:
        client.hello()
        thread = client.thread(**side.options)
        turn = client.begin(thread)
        delta = client.event("item/agentMessage/delta")["delta"]
        assert client.known(thread).latest.items[list(client.known(thread).latest.items)[-1]].text == delta
        client.ask("turn/interrupt", {"threadId": thread, "turnId": turn})
        client.event("turn/completed")
        summary = client.summary(thread)
    assert (summary.status, summary.error) == (TurnStatus.INTERRUPTED, None)
    assert "half a sentence that goes on and on".startswith(summary.message)
    assert summary.message.startswith(delta)


@requirement("FA-02")
@both
def test_a_compaction_is_counted(side: Side, model: Model):
    server = model([say("One."), say("A summary of what was said.")], after="repeat")
    with side.connect(server) as client:
        client.hello()
        thread = client.thread(**side.options)
        client.play(thread)
        client.call("thread/compact/start", {"threadId": thread})
        client.event("turn/completed")
        known = client.known(thread)
    assert [turn.compactions for turn in known.turns] == [0, 1]
    assert known.compactions == 1


@requirement("FA-02")
@both
def test_whoever_comes_later_builds_the_turns_from_the_record(side: Side, model: Model):
    summary = work(side, model)
    later = Gathering()
    server = model([say("And more.")])
    with side.connect(server, later) as client:
        client.hello()
        client.call("thread/resume", {"threadId": summary.thread_id})
        rebuilt = client.summary(summary.thread_id)
        again = client.play(summary.thread_id)
        first = later.thread(summary.thread_id).turns[0]
    for name in ("status", "error", "message", "files"):
        assert getattr(rebuilt, name) == getattr(summary, name), name
    # Codex has no record of what was refused.
    assert rebuilt.commands == (summary.commands if side.name == "native" else summary.commands[:2])
    assert (again.message, again.usage.output_tokens, again.commands) == ("And more.", 7, [])
    assert first.summary().message == "All done."


@requirement("FA-02")
@codex
def test_a_command_that_outlives_its_turn_counts_where_it_began(side: Side, model: Model):
    fifo = side.daedal.workspace / "wait"
    os.mkfifo(fifo)
    lasting = call("exec_command", cmd="echo early; cat wait; exit 4", login=False, yield_time_ms=250)
    server = model([lasting, say("It runs."), say("Next.")])
    with side.connect(server) as client:
        client.hello()
        thread = client.thread(**side.options, approvalPolicy="never")
        early = client.play(thread)
        late = client.play(thread)
        fifo.write_text("late\n")
        client.wait(lambda one: one.get("params", {}).get("item", {}).get("exitCode") == 4)
        known = client.known(thread)
        (command,) = [item for item in known.turns[0].items.values() if hasattr(item, "exit_code")]
    assert [(run.status, run.exit_code) for run in early.commands] == [(ItemStatus.IN_PROGRESS, None)]
    assert [(run.status, run.exit_code) for run in known.turns[0].summary().commands] == [(ItemStatus.FAILED, 4)]
    assert command.aggregated_output == "early\nlate\n"
    assert (known.latest.summary(), known.latest.is_over) == (late, True)
    assert late.commands == []


@requirement("FA-02")
@both
def test_a_review_is_one_turn_under_the_name_that_it_ends_with(side: Side, model: Model):
    server = model([say("First."), say("It is fine.")], after="repeat")
    with side.connect(server) as client:
        client.hello()
        thread = client.thread(**side.options)
        client.play(thread)
        target = {"type": "custom", "instructions": "Look at it."}
        turn = client.call("review/start", {"threadId": thread, "target": target})["turn"]["id"]
        client.event("turn/completed")
        known = client.known(thread)
    assert [one.id for one in known.turns][1:] == [turn]
    assert not known.is_running
    assert known.latest.summary().message == "It is fine."


@requirement("FA-02")
def test_a_client_that_comes_back_in_the_middle_of_a_turn_knows_as_much_as_one_that_stayed(
    daedal: Daedal, model: Model, tmp_path: Path
):
    words = say("half a sentence that goes on and on", chunks=6).but(separately=True)
    server = model([call("Read", file_path="absent"), stall(after=7, reply=words)])
    with Server(daedal, f"unix://{tmp_path}/s") as running:
        stayed, left = running.client(), running.client()
        opened = stayed.call("thread/start")
        thread = opened["thread"]["id"]
        gathering = Gathering()
        resume(left, gathering, thread)
        stayed.ask("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
        hear(left, gathering, "turn/started")
        left.hang_up()
        server.wait_for_stall()
        stayed.event("item/agentMessage/delta")
        back = running.client()
        gathering.reconnected()
        assert gathering.after(thread) is not None
        assert resume(back, gathering, thread)["replayed"] is True
        stayed.ask("turn/interrupt", {"threadId": thread, "turnId": gathering.summary(thread).turn_id})
        hear(back, gathering, "turn/completed")
        stayed.event("turn/completed")
    whole = Gathering()
    for message in stayed.seen:
        whole.heard(read_line(json.dumps(message)))
    assert gathering.summary(thread) == whole.summary(thread)
    assert gathering.thread(thread).latest.items == whole.thread(thread).latest.items


def resume(client: WireClient, gathering: Gathering, thread_id: str) -> dict[str, Any]:
    params = {"threadId": thread_id, "after": msgspec.to_builtins(gathering.after(thread_id))}
    number = client.ask("thread/resume", params)
    gathering.said(Request(id=number, method="thread/resume", params=params))
    answer = client.answer(number)
    gathering.heard(read_line(json.dumps(answer)))
    return answer["result"]


def hear(client: WireClient, gathering: Gathering, last: str) -> None:
    """All that comes, up to that."""
    message: dict[str, Any] = {}
    while message.get("method") != last:
        message = client.next() or {"method": last}
        gathering.heard(read_line(json.dumps(message)))
